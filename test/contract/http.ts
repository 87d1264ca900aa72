import { ALGEBRA, issued } from "./academy.js";
import { learner, staff } from "./callers.js";
import { badKey, detail, type Exchange, error, NO_CREDENTIALS, NO_ROUTE, PREFIX } from "./exchange.js";

const ALLOW = "GET, HEAD, OPTIONS";

const routes = [
  { path: `configured/${ALGEBRA}/`, body: detail },
  { path: `eligibility/${ALGEBRA}/`, body: detail },
  { path: `metadata/${issued.AVAILABLE.verifyUuid}/`, body: error },
];

/** The headers of a response without a body. */
const EMPTY = { "content-type": undefined, "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Methods other than GET and HEAD: answered before authentication and before the key is checked. */
export const methods: Exchange[] = [
  ...routes.flatMap(({ path, body }) => [
    ...["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"].map((method) => ({
      name: `${method} ${path}`,
      method,
      path,
      status: 405,
      body: body(`Method "${method}" is not allowed; allowed are GET, HEAD, OPTIONS.`),
      headers: { allow: ALLOW },
    })),
    {
      name: `OPTIONS ${path}`,
      method: "OPTIONS",
      path,
      status: 204,
      body: "",
      headers: { ...EMPTY, allow: ALLOW, "content-length": undefined },
    },
  ]),
  {
    name: "POST without the slash at the end: not redirected",
    method: "POST",
    path: `configured/${ALGEBRA}`,
    status: 405,
    body: detail('Method "POST" is not allowed; allowed are GET, HEAD, OPTIONS.'),
    headers: { allow: ALLOW, location: undefined },
  },
  {
    name: "POST with a good token",
    method: "POST",
    as: staff,
    path: `configured/${ALGEBRA}/`,
    status: 405,
    body: detail('Method "POST" is not allowed; allowed are GET, HEAD, OPTIONS.'),
    headers: { allow: ALLOW },
  },
  {
    name: "POST with a malformed key",
    method: "POST",
    path: "configured/nonsense/",
    status: 405,
    body: detail('Method "POST" is not allowed; allowed are GET, HEAD, OPTIONS.'),
    headers: { allow: ALLOW },
  },
  {
    name: "POST where there is no route",
    method: "POST",
    path: "nothing/",
    status: 404,
    body: NO_ROUTE,
    headers: { allow: undefined },
  },
  {
    name: "OPTIONS where there is no route",
    method: "OPTIONS",
    path: "nothing/",
    status: 404,
    body: NO_ROUTE,
    headers: { allow: undefined },
  },
  {
    name: "GET with Allow: not said",
    as: learner("ana"),
    path: "configured/nonsense/",
    status: 400,
    body: badKey("nonsense"),
    headers: { allow: undefined },
  },
];

function moved(name: string, from: string, to: string): Exchange {
  return {
    name,
    path: from,
    status: 301,
    body: "",
    headers: { ...EMPTY, "content-length": "0", location: PREFIX + to },
  };
}

/** URLs without a trailing slash: redirected to the form with it, before any other check. */
export const redirects: Exchange[] = [
  moved("configured", `configured/${ALGEBRA}`, `configured/${ALGEBRA}/`),
  moved("eligibility", `eligibility/${ALGEBRA}`, `eligibility/${ALGEBRA}/`),
  moved("metadata", `metadata/${issued.AVAILABLE.verifyUuid}`, `metadata/${issued.AVAILABLE.verifyUuid}/`),
  moved(
    "the query is kept as it is",
    `eligibility/${ALGEBRA}?username=max%2B1&a=/b?c&a=%zz`,
    `eligibility/${ALGEBRA}/?username=max%2B1&a=/b?c&a=%zz`,
  ),
  moved("an empty query is kept", `eligibility/${ALGEBRA}?`, `eligibility/${ALGEBRA}/?`),
  moved("a slash in the query does not count", `eligibility/${ALGEBRA}?a=/`, `eligibility/${ALGEBRA}/?a=/`),
  moved(
    "the encoding of the key is kept",
    "configured/course-v1%3AUni%2bAlgebra+%D0%90",
    "configured/course-v1%3AUni%2bAlgebra+%D0%90/",
  ),
  moved("a malformed key", "configured/nonsense%zz", "configured/nonsense%zz/"),
  {
    name: "HEAD",
    method: "HEAD",
    path: `metadata/${issued.AVAILABLE.verifyUuid}`,
    status: 301,
    body: "",
    headers: {
      ...EMPTY,
      "content-length": "0",
      location: `${PREFIX}metadata/${issued.AVAILABLE.verifyUuid}/`,
    },
  },
  {
    name: "where there is no route: not redirected",
    path: "nothing",
    status: 404,
    body: NO_ROUTE,
    headers: { location: undefined },
  },
];

/** Paths that no route matches. */
export const unknownRoutes: Exchange[] = [
  { name: "another word", path: "certificates/x/", status: 404, body: NO_ROUTE },
  {
    name: "another version",
    path: `/api/learning_credentials/v2/configured/${ALGEBRA}/`,
    status: 404,
    body: NO_ROUTE,
  },
  { name: "the prefix itself", path: "", status: 404, body: NO_ROUTE },
  { name: "no key", path: "configured/", status: 404, body: NO_ROUTE },
  { name: "an empty key", path: "configured//", status: 404, body: NO_ROUTE },
  { name: "no UUID", path: "metadata/", status: 404, body: NO_ROUTE },
  { name: "two slashes at the end", path: `configured/${ALGEBRA}//`, status: 404, body: NO_ROUTE },
  { name: "two slashes before the key", path: `configured//${ALGEBRA}/`, status: 404, body: NO_ROUTE },
  { name: "a key with a slash", path: "configured/course-v1:A/B+C+D/", status: 404, body: NO_ROUTE },
  { name: "something after the key", path: `configured/${ALGEBRA}/x/`, status: 404, body: NO_ROUTE },
  {
    name: "dots that lead to a route are not resolved",
    path: `x/../configured/${ALGEBRA}/`,
    status: 404,
    body: NO_ROUTE,
  },
  { name: "another spelling", path: `Configured/${ALGEBRA}/`, status: 404, body: NO_ROUTE },
  { name: "with a good token", as: staff, path: "nothing/", status: 404, body: NO_ROUTE },
  { name: "without the prefix", path: `/configured/${ALGEBRA}/`, status: 404, body: NO_ROUTE },
  {
    name: "another spelling of the prefix",
    path: "/API/learning_credentials/v1/",
    status: 404,
    body: NO_ROUTE,
  },
  {
    name: "but a route may be percent-encoded",
    path: `%63onfigured/${ALGEBRA}/`,
    status: 403,
    body: NO_CREDENTIALS,
  },
];

const LONGEST_KEY = "x".repeat(8192 - `${PREFIX}configured//`.length);

/** Long URLs. */
export const limits: Exchange[] = [
  {
    name: "a URL of 8192 bytes",
    as: staff,
    path: `configured/${LONGEST_KEY}/`,
    status: 400,
    body: badKey(`${LONGEST_KEY.slice(0, 100)}…`),
  },
  {
    name: "a URL of 8193 bytes",
    as: staff,
    path: `configured/${LONGEST_KEY}x/`,
    status: 414,
    body: detail("The URL is 8193 bytes long; at most 8192 are accepted."),
  },
  {
    name: "a URL of 8193 bytes, before authentication",
    path: `configured/${ALGEBRA}/?${"x".repeat(8192 - `${PREFIX}configured/${ALGEBRA}/`.length)}`,
    status: 414,
    body: detail("The URL is 8193 bytes long; at most 8192 are accepted."),
  },
  {
    name: "a URL of 8193 bytes, where there is no route",
    path: `nothing/${"x".repeat(8193 - `${PREFIX}nothing/`.length)}`,
    status: 414,
    body: detail("The URL is 8193 bytes long; at most 8192 are accepted."),
  },
];

/** The headers of a response that no route has written, and after which the connection is closed. */
const REFUSED = { "cache-control": undefined, connection: "close" };

/** Bytes that are not a valid request. */
export const unreadable: Exchange[] = [
  {
    name: "headers of more than 16 KiB",
    as: { "x-filler": "x".repeat(17 * 1024) },
    path: `configured/${ALGEBRA}/`,
    status: 431,
    body: detail("The request headers are too large."),
    headers: REFUSED,
  },
  {
    name: "a URL of more than 16 KiB is one of these",
    path: `configured/${"x".repeat(17 * 1024)}/`,
    status: 431,
    body: detail("The request headers are too large."),
    headers: REFUSED,
  },
  {
    name: "a URL with bytes that are not ASCII",
    path: "configured/course-v1:A+B+\xe9/",
    status: 400,
    body: detail("The request is not valid HTTP."),
    headers: REFUSED,
  },
];
