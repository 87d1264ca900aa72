import { learner, staff } from "./callers.js";
import { ALGEBRA, issued } from "./contract-data.js";
import {
  badKey,
  detail,
  type Exchange,
  error,
  get,
  NO_CREDENTIALS,
  NO_ROUTE,
  nobody,
  PREFIX,
} from "./exchange.js";

const ALLOW = "GET, HEAD, OPTIONS";

const routes = [
  { path: `configured/${ALGEBRA}/`, body: detail },
  { path: `eligibility/${ALGEBRA}/`, body: detail },
  { path: `metadata/${issued.AVAILABLE.verifyUuid}/`, body: error },
];

/** The headers of a response without a body. */
const EMPTY = { "content-type": undefined, "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Methods other than GET and HEAD. The response comes before authentication, and before the key is checked. */
export const methods: Exchange[] = [
  ...routes.flatMap(({ path, body }) => [
    ...["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"].map((method) => ({
      ...get(`${method} ${path}`, nobody, path, 405, body(notAllowed(method))),
      method,
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
  refusedPost("POST without the slash at the end: not redirected", `configured/${ALGEBRA}`),
  { ...refusedPost("POST with a good token", `configured/${ALGEBRA}/`), as: staff },
  refusedPost("POST with a malformed key", "configured/nonsense/"),
  ...["POST", "OPTIONS"].map((method) => ({
    ...get(`${method} where there is no route`, nobody, "nothing/", 404, NO_ROUTE),
    method,
    headers: { allow: undefined },
  })),
  {
    ...get("GET with Allow: not said", learner("ana"), "configured/nonsense/", 400, badKey("nonsense")),
    headers: { allow: undefined },
  },
];

function refusedPost(name: string, path: string): Exchange {
  const method = "POST";
  const headers = { allow: ALLOW, location: undefined };
  return { ...get(name, nobody, path, 405, detail(notAllowed(method))), method, headers };
}

function notAllowed(method: string): string {
  return `Method "${method}" is not allowed; allowed are GET, HEAD, OPTIONS.`;
}

function moved(name: string, from: string, to: string): Exchange {
  const headers = { ...EMPTY, "content-length": "0", location: PREFIX + to };
  return { ...get(name, nobody, from, 301, ""), headers };
}

/** URLs without a trailing slash. They are redirected to the URL with a slash, before any other check. */
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
    ...moved("HEAD", `metadata/${issued.AVAILABLE.verifyUuid}`, `metadata/${issued.AVAILABLE.verifyUuid}/`),
    method: "HEAD",
  },
  {
    ...get("where there is no route: not redirected", nobody, "nothing", 404, NO_ROUTE),
    headers: { location: undefined },
  },
];

/** Paths that no route matches. */
export const unknownRoutes: Exchange[] = [
  get("another word", nobody, "certificates/x/", 404, NO_ROUTE),
  get("another version", nobody, `/api/learning_credentials/v2/configured/${ALGEBRA}/`, 404, NO_ROUTE),
  get("the prefix itself", nobody, "", 404, NO_ROUTE),
  get("no key", nobody, "configured/", 404, NO_ROUTE),
  get("an empty key", nobody, "configured//", 404, NO_ROUTE),
  get("no UUID", nobody, "metadata/", 404, NO_ROUTE),
  get("two slashes at the end", nobody, `configured/${ALGEBRA}//`, 404, NO_ROUTE),
  get("two slashes before the key", nobody, `configured//${ALGEBRA}/`, 404, NO_ROUTE),
  get("a key with a slash", nobody, "configured/course-v1:A/B+C+D/", 404, NO_ROUTE),
  get("something after the key", nobody, `configured/${ALGEBRA}/x/`, 404, NO_ROUTE),
  get("dots that lead to a route are not resolved", nobody, `x/../configured/${ALGEBRA}/`, 404, NO_ROUTE),
  get("another spelling", nobody, `Configured/${ALGEBRA}/`, 404, NO_ROUTE),
  get("with a good token", staff, "nothing/", 404, NO_ROUTE),
  get("without the prefix", nobody, `/configured/${ALGEBRA}/`, 404, NO_ROUTE),
  get("another spelling of the prefix", nobody, "/API/learning_credentials/v1/", 404, NO_ROUTE),
  get("but a route may be percent-encoded", nobody, `%63onfigured/${ALGEBRA}/`, 403, NO_CREDENTIALS),
];

const LONGEST_KEY = "x".repeat(8192 - `${PREFIX}configured//`.length);

const TOO_LONG = detail("The URL is 8193 bytes long; at most 8192 are accepted.");

export const limits: Exchange[] = [
  get(
    "a URL of 8192 bytes",
    staff,
    `configured/${LONGEST_KEY}/`,
    400,
    badKey(`${LONGEST_KEY.slice(0, 100)}…`),
  ),
  get("a URL of 8193 bytes", staff, `configured/${LONGEST_KEY}x/`, 414, TOO_LONG),
  get(
    "a URL of 8193 bytes, before authentication",
    nobody,
    `configured/${ALGEBRA}/?${"x".repeat(8192 - `${PREFIX}configured/${ALGEBRA}/`.length)}`,
    414,
    TOO_LONG,
  ),
  get(
    "a URL of 8193 bytes, where there is no route",
    nobody,
    `nothing/${"x".repeat(8193 - `${PREFIX}nothing/`.length)}`,
    414,
    TOO_LONG,
  ),
];

/** Headers of a response that was not written by a route. The connection is closed after it. */
const REFUSED = { "cache-control": undefined, connection: "close" };

/** Bytes that are not a valid request. */
export const unreadable: Exchange[] = [
  get(
    "headers of more than 16 KiB",
    { "x-filler": "x".repeat(17 * 1024) },
    `configured/${ALGEBRA}/`,
    431,
    detail("The request headers are too large."),
  ),
  get(
    "a URL of more than 16 KiB is one of these",
    nobody,
    `configured/${"x".repeat(17 * 1024)}/`,
    431,
    detail("The request headers are too large."),
  ),
  get(
    "a URL with bytes that are not ASCII",
    nobody,
    "configured/course-v1:A+B+\xe9/",
    400,
    detail("The request is not valid HTTP."),
  ),
].map((exchange) => ({ ...exchange, headers: REFUSED }));
