import { expect } from "vitest";
import { issued } from "./academy.js";
import { bearer, cookies, inSeconds, token } from "./callers.js";
import { type Exchange, error, NO_CREDENTIAL } from "./exchange.js";

const AVAILABLE =
  '{"user_full_name":"Hal \\"Ⅱ\\" O’Neill 王 🎓","created":"2026-01-15T10:30:00Z",' +
  '"learning_context_name":"Statuses, “Uni”","status":"available","invalidation_reason":""}';
const INVALIDATED =
  '{"user_full_name":"Joy","created":"1999-12-31T23:59:59Z","learning_context_name":"Statuses, “Uni”",' +
  '"status":"invalidated","invalidation_reason":"Issued in error: \\"Joy\\"\\n№ 7"}';
const REPLACED =
  '{"user_full_name":"Kym","created":"2026-01-15T10:30:00Z","learning_context_name":"Statuses, “Uni”",' +
  '"status":"invalidated","invalidation_reason":"Misspelt"}';

const UUID = issued.AVAILABLE.verifyUuid;
const expired = token({ preferred_username: "ana", exp: inSeconds(-3600) });

/** Caches may store it but must revalidate it each time. */
const REVALIDATED = { "cache-control": "no-cache", etag: expect.stringMatching(/^"[\w-]{22}"$/) };

/** GET metadata/{verify_uuid}/: credentials that are found. */
export const found: Exchange[] = [
  { name: "an available credential", path: `metadata/${UUID}/`, status: 200, body: AVAILABLE },
  {
    name: "an invalidated credential, with its reason",
    path: `metadata/${issued.INVALIDATED.verifyUuid}/`,
    status: 200,
    body: INVALIDATED,
  },
  {
    name: "one that was invalidated and reissued: the old one still says so",
    path: `metadata/${issued.REPLACED.verifyUuid}/`,
    status: 200,
    body: REPLACED,
  },
  {
    name: "a UUID in capitals",
    path: `metadata/${UUID.toUpperCase()}/`,
    status: 200,
    body: AVAILABLE,
  },
  {
    name: "a UUID in percent-encoding",
    path: `metadata/${UUID.replaceAll("-", "%2D").replace("a1", "%61%31")}/`,
    status: 200,
    body: AVAILABLE,
  },
  {
    name: "unknown query parameters, and one named like the path's",
    path: `metadata/${UUID}/?verify_uuid=x&verify_uuid=y&%zz`,
    status: 200,
    body: AVAILABLE,
  },
  {
    name: "a stale token is ignored",
    as: bearer(expired),
    path: `metadata/${UUID}/`,
    status: 200,
    body: AVAILABLE,
  },
  {
    name: "a stale cookie is ignored",
    as: cookies(expired),
    path: `metadata/${UUID}/`,
    status: 200,
    body: AVAILABLE,
  },
  {
    name: "another scheme is ignored",
    as: { authorization: "Basic YTpi" },
    path: `metadata/${UUID}/`,
    status: 200,
    body: AVAILABLE,
  },
].map((exchange) => ({ ...exchange, headers: REVALIDATED }));

/** GET metadata/{verify_uuid}/: what is not found. The response does not reveal the reason. */
export const notFound: Exchange[] = [
  ["absent", "00000000-0000-4000-8000-000000000000"],
  ["being generated", issued.GENERATING.verifyUuid],
  ["failed", issued.FAILED.verifyUuid],
  ["looked up by its other UUID", issued.AVAILABLE.uuid],
  ["a UUID in braces", `%7B${UUID}%7D`],
  ["a UUID without dashes", UUID.replaceAll("-", "")],
  ["a UUID with its dashes elsewhere", "a1b2-c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c52"],
  ["a UUID as a URN", `urn:uuid:${UUID}`],
  ["a UUID that is too long", `${UUID}0`],
  ["a UUID that is too short", UUID.slice(0, -1)],
  ["a letter that is no digit", UUID.replace("a", "g")],
  ["full-width digits", UUID.replace("1", "%EF%BC%91")],
  ["a space before it", `%20${UUID}`],
  ["a line break after it", `${UUID}%0A`],
  ["a NUL byte after it", `${UUID}%00`],
  ["a slash in it", UUID.replace("-", "%2F")],
  ["a quotation mark", `${UUID}'`],
  ["malformed percent-encoding", `${UUID}%`],
  ["bytes that are not UTF-8", "%FF%FE"],
  ["any other text", "hello"],
  ["a text of 4000 characters", "a".repeat(4000)],
].map(([name = "", verifyUuid]) => ({
  name,
  path: `metadata/${verifyUuid}/`,
  status: 404,
  body: '{"error":"Credential not found."}',
}));

/** Errors of the metadata route that arise elsewhere use the same JSON key. */
export const otherErrors: Exchange[] = [
  {
    name: "a URL that is too long",
    path: `metadata/${UUID}/?${"x".repeat(8192)}`,
    status: 414,
    body: error("The URL is 8268 bytes long; at most 8192 are accepted."),
  },
  {
    name: "a stale token, and a credential that is absent",
    as: bearer(expired),
    path: "metadata/00000000-0000-4000-8000-000000000000/",
    status: 404,
    body: NO_CREDENTIAL,
  },
];
