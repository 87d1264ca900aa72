import { encoded, forge, hmac, unsigned } from "../identity/forge.js";
import { JWT_SECRET } from "../support/service.js";
import { bearer, cookies, inSeconds, learner, token } from "./callers.js";
import { OPEN_PATH, STATUSES } from "./contract-data.js";
import { configured, detail, type Exchange, INVALID_TOKEN, NO_COURSE, NO_CREDENTIALS } from "./exchange.js";

const HAL = token({ preferred_username: "hal" });
const EXPIRED = token({ preferred_username: "hal", exp: inSeconds(-60) });
const [headerAndPayload = "", signature = ""] = HAL.split(/\.(?=[^.]*$)/);
const OK = configured("Certificate of Completion");
const WRONG_SCHEME = detail('Authorization must be "Bearer <token>" or "JWT <token>".');
const EXPIRED_TOKEN = detail("Token has expired.");
const TOO_LONG_LIVED = detail(
  'This token is valid for over 2592000 seconds ("iat" to "exp"): request one with a shorter lifetime, or raise AUTH_JWT_MAX_LIFETIME.',
);
const NO_USERNAME = detail("Token has no valid username.");

function row(name: string, as: Exchange["as"], status: number, body: string): Exchange {
  return { name, ...(as && { as }), path: `configured/${STATUSES}/`, status, body };
}

/** GET configured/{learning_context_key}/: how callers authenticate. Hal is enrolled in this course. */
export const authentication: Exchange[] = [
  row("Authorization: Bearer", { authorization: `Bearer ${HAL}` }, 200, OK),
  row("Authorization: JWT", { authorization: `JWT ${HAL}` }, 200, OK),
  row("the scheme in other letters", { authorization: `bearer ${HAL}` }, 200, OK),
  row("both cookies", cookies(HAL), 200, OK),
  {
    ...row("a token that expired two seconds ago: clocks differ", undefined, 200, OK),
    get as() {
      // Created when the row runs, because the row may have to wait.
      return bearer(token({ sub: "hal", exp: inSeconds(-2) }));
    },
  },

  row("nothing", undefined, 403, NO_CREDENTIALS),
  row("one cookie", { cookie: `edx-jwt-cookie-header-payload=${headerAndPayload}` }, 403, NO_CREDENTIALS),
  row("the other cookie", { cookie: `edx-jwt-cookie-signature=${signature}` }, 403, NO_CREDENTIALS),
  row("another cookie", { cookie: `sessionid=${HAL}` }, 403, NO_CREDENTIALS),
  row("a token that expired, in a cookie", cookies(EXPIRED), 403, EXPIRED_TOKEN),
  row("another scheme", { authorization: "Basic aGFsOmhhbA==" }, 403, WRONG_SCHEME),
  row("a token without a scheme", { authorization: HAL }, 403, WRONG_SCHEME),
  row("a scheme without a token", { authorization: "Bearer" }, 403, WRONG_SCHEME),
  row("two tokens", { authorization: `Bearer ${HAL} ${HAL}` }, 403, WRONG_SCHEME),
  row(
    "another scheme beside good cookies",
    { ...cookies(HAL), authorization: "Basic YTpi" },
    403,
    WRONG_SCHEME,
  ),

  row("a token that expired", bearer(EXPIRED), 403, EXPIRED_TOKEN),
  row(
    "a token that is not valid yet",
    bearer(token({ sub: "hal", nbf: inSeconds(86_400) })), // suites that share this module may take long
    403,
    INVALID_TOKEN,
  ),
  row(
    "a token signed with another secret",
    bearer(forge({ alg: "HS256" }, { sub: "hal", exp: inSeconds(600) }, hmac("another secret"))),
    403,
    INVALID_TOKEN,
  ),
  row(
    "a token whose claims were changed",
    bearer(
      `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded({ sub: "ana", exp: inSeconds(600) })}.${signature}`,
    ),
    403,
    INVALID_TOKEN,
  ),
  row(
    "alg: none",
    bearer(forge({ alg: "none" }, { sub: "hal", exp: inSeconds(600) }, unsigned)),
    403,
    INVALID_TOKEN,
  ),
  row(
    "alg: none with a good signature",
    bearer(forge({ alg: "none" }, { sub: "hal", exp: inSeconds(600) }, hmac(JWT_SECRET))),
    403,
    INVALID_TOKEN,
  ),
  row(
    "an algorithm for which there is no key",
    bearer(token({ sub: "hal" }, { alg: "RS256" })),
    403,
    INVALID_TOKEN,
  ),
  row("no exp", bearer(token({ sub: "hal", exp: undefined })), 403, INVALID_TOKEN),
  row("exp: 1e300", bearer(token({ sub: "hal", exp: 1e300 })), 403, TOO_LONG_LIVED),
  row("exp in words", bearer(token({ sub: "hal", exp: "tomorrow" })), 403, INVALID_TOKEN),
  row("an object as sub", bearer(token({ username: "hal", sub: {} })), 403, INVALID_TOKEN),
  row("no token at all", bearer("nonsense"), 403, INVALID_TOKEN),
  row("a token of three empty parts", bearer(".."), 403, INVALID_TOKEN),
  row("a token of five parts", bearer(`${HAL}.a.b`), 403, INVALID_TOKEN),
  row("no name", bearer(token({})), 403, NO_USERNAME),
  row("an empty name", bearer(token({ sub: "" })), 403, NO_USERNAME),
  row("a NUL byte in the name", bearer(token({ sub: "hal\0" })), 403, NO_USERNAME),

  row(
    "preferred_username comes first",
    bearer(token({ preferred_username: "hal", username: "ana" })),
    200,
    OK,
  ),
  row("username comes second", bearer(token({ username: "hal", sub: "ana" })), 200, OK),
  row("sub comes last", bearer(token({ sub: "hal" })), 200, OK),
  row("somebody else", learner("ana"), 404, NO_COURSE),
  row("staff: administrator", bearer(token({ sub: "ana", administrator: true })), 200, OK),
  row("staff: is_staff", bearer(token({ sub: "ana", is_staff: true })), 200, OK),
  row("staff: superuser", bearer(token({ sub: "ana", superuser: true })), 200, OK),
  row('no staff: "true" as a string', bearer(token({ sub: "ana", administrator: "true" })), 404, NO_COURSE),
  row(
    "a service: among other scopes",
    bearer(token({ sub: "lms", scope: "email learning_credentials:read" })),
    200,
    OK,
  ),
  row(
    "a service: scopes as an array",
    bearer(token({ sub: "lms", scopes: ["email", "learning_credentials:write"] })),
    200,
    OK,
  ),
  row(
    "no service: a scope that begins like ours",
    bearer(token({ sub: "lms", scope: "learning_credentials:reader learning_credentials" })),
    404,
    NO_COURSE,
  ),
  {
    name: "a learner without a record is a caller like any other",
    as: learner("王 🎓"),
    path: `configured/${OPEN_PATH}/`,
    status: 200,
    body: OK,
  },
];
