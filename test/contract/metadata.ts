import { expect } from "vitest";
import { bearer, cookies, inSeconds, token } from "./callers.js";
import { issued } from "./contract-data.js";
import { type Exchange, error, get, NO_CREDENTIAL, nobody } from "./exchange.js";

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

/** Caches may store the response, but must revalidate it each time. */
const REVALIDATED = { "cache-control": "no-cache", etag: expect.stringMatching(/^"[\w-]{22}"$/) };

const answered: [name: string, uuid: string, body?: string, as?: Exchange["as"]][] = [
  ["an available credential", UUID],
  ["an invalidated credential, with its reason", issued.INVALIDATED.verifyUuid, INVALIDATED],
  ["one that was invalidated and reissued: the old one still says so", issued.REPLACED.verifyUuid, REPLACED],
  ["a UUID in capitals", UUID.toUpperCase()],
  ["a UUID in percent-encoding", UUID.replaceAll("-", "%2D").replace("a1", "%61%31")],
  ["a stale token is ignored", UUID, AVAILABLE, bearer(expired)],
  ["a stale cookie is ignored", UUID, AVAILABLE, cookies(expired)],
  ["another scheme is ignored", UUID, AVAILABLE, { authorization: "Basic YTpi" }],
];

/** GET metadata/{verify_uuid}/: credentials that are found. */
export const found: Exchange[] = [
  ...answered.map(([name, uuid, body = AVAILABLE, as]) => get(name, as, `metadata/${uuid}/`, 200, body)),
  get(
    "unknown query parameters, and one named like the path's",
    nobody,
    `metadata/${UUID}/?verify_uuid=x&verify_uuid=y&%zz`,
    200,
    AVAILABLE,
  ),
].map((exchange) => ({ ...exchange, headers: REVALIDATED }));

/** GET metadata/{verify_uuid}/: credentials that are not found. The response does not reveal the reason. */
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
].map(([name = "", verifyUuid]) =>
  get(name, nobody, `metadata/${verifyUuid}/`, 404, '{"error":"Credential not found."}'),
);

/** Errors that occur outside the handler of the metadata route have the same JSON key. */
export const otherErrors: Exchange[] = [
  get(
    "a URL that is too long",
    nobody,
    `metadata/${UUID}/?${"x".repeat(8192)}`,
    414,
    error("The URL is 8268 bytes long; at most 8192 are accepted."),
  ),
  get(
    "a stale token, and a credential that is absent",
    bearer(expired),
    "metadata/00000000-0000-4000-8000-000000000000/",
    404,
    NO_CREDENTIAL,
  ),
];
