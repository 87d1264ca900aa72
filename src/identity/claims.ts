import { Problem } from "../errors.js";
import { isReserved } from "./actors.js";
import type { Caller, Subject } from "./caller.js";

/** What a verified token says: anything at all, for any issuer may have written it. */
export type Claims = Readonly<Record<string, unknown>>;

/** The scopes that make a token one of an internal platform service. */
export const READ_SCOPE = "learning_credentials:read";
export const WRITE_SCOPE = "learning_credentials:write";

/** The first of these claims that is there names the caller. */
const USERNAME_CLAIMS = ["preferred_username", "username", "sub"];

/** Only the literal `true` counts: not 1, not "true". */
const STAFF_CLAIMS = ["administrator", "is_staff", "superuser"];

/** 1 to 255 characters; no control characters, nor lone surrogates, which the database would turn into one another. */
const USERNAME = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/**
 * Reads who a verified token stands for. A scope of ours makes a service, whatever else the token says.
 * @throws Problem `unauthenticated` when it names nobody, or who acts under a name of the service itself
 */
export function callerOf(claims: Claims): Caller {
  const username = USERNAME_CLAIMS.map((name) => claims[name]).find((value) => value !== undefined);
  if (!isUsername(username)) throw new Problem("unauthenticated", "Token has no valid username.");
  const scopes = scopesOf(claims);
  const canWrite = scopes.includes(WRITE_SCOPE);
  const isService = canWrite || scopes.includes(READ_SCOPE);
  const isStaff = STAFF_CLAIMS.some((name) => claims[name] === true);
  if ((isService || isStaff) && isReserved(username)) {
    throw new Problem(
      "unauthenticated",
      `${username} is a name of the service itself: no service and no staff user may act under it.`,
    );
  }
  const subject = subjectOf(claims);
  return isService
    ? { kind: "service", username, canWrite, ...subject }
    : { kind: "user", username, isStaff, ...subject };
}

/** A name may be given to somebody else one day; these two together never are (OpenID Connect Core 1.0, section 2). */
function subjectOf({ iss, sub }: Claims): Subject {
  return isUsername(iss) && isUsername(sub) ? { issuer: iss, subject: sub } : {}; // they have the same bounds
}

/** Whether a token may name its caller so. */
export function isUsername(value: unknown): value is string {
  return typeof value === "string" && USERNAME.test(value);
}

/** `scope` is a string of words (RFC 8693 section 4.2); the platform writes an array, `scopes`. */
function scopesOf({ scope, scopes }: Claims): readonly unknown[] {
  const words = typeof scope === "string" ? scope.split(" ") : [];
  return Array.isArray(scopes) ? [...words, ...scopes] : words;
}
