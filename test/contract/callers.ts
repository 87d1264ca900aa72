import { forge, hmac, type Part } from "../identity/forge.js";
import { JWT_SECRET } from "../support/service.js";

/** The headers with which a caller authenticates. */
export type Credentials = Readonly<Record<string, string>>;

const HOUR_S = 3600;

/** Returns the Unix time that is this number of seconds after the current time. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

/** Returns a token with these claims, signed like those of the platform. It is valid for an hour. */
export function token(claims: object, header: Part = { alg: "HS256", typ: "JWT" }): string {
  return forge(header, { exp: inSeconds(HOUR_S), ...claims }, hmac(JWT_SECRET));
}

export function bearer(presented: string): Credentials {
  return { authorization: `Bearer ${presented}` };
}

/** Returns a Cookie header with the platform's two cookies among others. */
export function cookies(presented: string): Credentials {
  const dot = presented.lastIndexOf(".");
  const headerAndPayload = `edx-jwt-cookie-header-payload=${presented.slice(0, dot)}`;
  return { cookie: `csrftoken=x; ${headerAndPayload}; edx-jwt-cookie-signature=${presented.slice(dot + 1)}` };
}

/** Returns the headers of a learner. `contract-data.ts` describes the learners. */
export function learner(username: string): Credentials {
  return bearer(token({ preferred_username: username }));
}

export const staff = bearer(token({ preferred_username: "registrar", administrator: true }));
export const reader = bearer(token({ preferred_username: "reports", scope: "learning_credentials:read" }));
export const writer = bearer(token({ preferred_username: "lms", scope: "learning_credentials:write" }));
