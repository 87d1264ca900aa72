import { Problem } from "../errors.js";
import { isReserved } from "./actors.js";
import type { Caller, Subject } from "./caller.js";

/** The claims of a verified token. They may contain anything, because any issuer may have written them. */
export type Claims = Readonly<Record<string, unknown>>;

/** The scopes that identify an internal platform service. */
export const READ_SCOPE = "learning_credentials:read";
export const WRITE_SCOPE = "learning_credentials:write";

/** The first of these claims that is present names the caller. */
const USERNAME_CLAIMS = ["preferred_username", "username", "sub"];

/** Only the literal `true` counts: not 1, not "true". */
const STAFF_CLAIMS = ["administrator", "is_staff", "superuser"];

/**
 * 1 to 255 characters. Control characters are excluded, and so are lone surrogates, which the database would
 * make indistinguishable.
 */
const USERNAME = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/**
 * Determines the caller of a verified token. A scope of this service makes it a service, whatever else the
 * token says.
 * @throws Problem `unauthenticated` if it names nobody, or uses a name of the service itself
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

/**
 * Returns issuer and subject. A username may be reassigned one day; these two together never are (OpenID
 * Connect Core 1.0, section 2).
 */
function subjectOf({ iss, sub }: Claims): Subject {
  // the same limits apply to both
  return isUsername(iss) && isUsername(sub) ? { issuer: iss, subject: sub } : {};
}

/** Tells whether a value is a valid username. */
export function isUsername(value: unknown): value is string {
  return typeof value === "string" && USERNAME.test(value);
}

/**
 * Returns the scopes. `scope` is a string of words (RFC 8693 section 4.2); the platform writes an array,
 * `scopes`.
 */
function scopesOf({ scope, scopes }: Claims): readonly unknown[] {
  const words = typeof scope === "string" ? scope.split(" ") : [];
  return Array.isArray(scopes) ? [...words, ...scopes] : words;
}
