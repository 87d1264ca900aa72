import { Problem } from "#foundation/errors.js";
import { isNameOfPlatforms, isReserved } from "./actors.js";
import type { Caller, TokenSubject } from "./caller.js";
import { isRole, type Role, STAFF_ROLES, withIncluded } from "./roles.js";

/** The claims of a verified token. They may contain any values, because any issuer may have written them. */
type Claims = Readonly<Record<string, unknown>>;

/** The claims with roles and organisations. */
export interface StaffClaims {
  /** Name of the claim with roles. If undefined, staff have `STAFF_ROLES`. */
  readonly rolesClaim?: string | undefined;
  /** Name of the claim with organisations. If undefined, nobody is restricted to organisations. */
  readonly organisationsClaim?: string | undefined;
  readonly platformWorkers?: readonly string[] | undefined;
}

/** The scopes that identify an internal platform service. */
export const READ_SCOPE = "learning_credentials:read";
export const WRITE_SCOPE = "learning_credentials:write";

/** The first of these claims that is present is the username. */
const USERNAME_CLAIMS = ["preferred_username", "username", "sub"];

/** In the organisations claim, this value means all organisations. No organisation has this name. */
const ALL_ORGANISATIONS = "*";

/** Only the literal `true` makes someone staff: not 1, not "true". */
const STAFF_CLAIMS = ["administrator", "is_staff", "superuser"];

/**
 * 1 to 255 characters. Excludes control characters; lone surrogates, because the database would make them
 * indistinguishable; and a leading byte order mark, because programs drop it.
 */
const USERNAME = /^(?!\uFEFF)[^\p{Cc}\p{Cs}]{1,255}$/u;

/**
 * Determines the caller of a verified token. A token with a scope of this service identifies a service, regardless of
 * its other claims.
 * @throws Problem `unauthenticated` if there is no username, or if it is reserved for the service itself or for users
 * of LTI platforms
 */
export function callerOf(claims: Claims, staffClaims: StaffClaims = {}): Caller {
  const username = USERNAME_CLAIMS.map((name) => claims[name]).find((value) => value !== undefined);
  if (!isUsername(username)) throw new Problem("unauthenticated", "Token has no valid username.");
  if (isNameOfPlatforms(username))
    throw new Problem(
      "unauthenticated",
      "Names that begin with lti: are reserved for users of LTI platforms, so no token can have one.",
    );
  const scopes = scopesOf(claims);
  const canWrite = scopes.includes(WRITE_SCOPE);
  const isService = canWrite || scopes.includes(READ_SCOPE);
  const roles = staffRoles(claims, staffClaims.rolesClaim);
  const isStaff = roles.length > 0;
  if ((isService || isStaff) && isReserved(username)) {
    throw new Problem(
      "unauthenticated",
      `${username} is reserved for the service itself: give the service or staff user another name.`,
    );
  }
  const subject = subjectOf(claims);
  // The worker is staff on the platform, but not in this service.
  if (!isService && staffClaims.platformWorkers?.includes(username) && !isReserved(username))
    return { kind: "user", username, isStaff: false, roles: [], isPlatformWorker: true, ...subject };
  const organisations = isService || isStaff ? organisationsIn(claims, staffClaims, isService) : undefined;
  const bounds = organisations && { organisations };
  return isService
    ? { kind: "service", username, canWrite, ...bounds, ...subject }
    : { kind: "user", username, isStaff, roles, ...bounds, ...subject };
}

/** Returns the claims that can make someone staff. The claim with roles comes first. */
export function staffClaimsOf({ rolesClaim }: StaffClaims): readonly string[] {
  return rolesClaim === undefined ? STAFF_CLAIMS : [rolesClaim, ...STAFF_CLAIMS];
}

/** If the token has the roles claim, only this claim determines the roles. Otherwise, all staff have the same roles. */
function staffRoles(claims: Claims, rolesClaim: string | undefined): readonly Role[] {
  const named = rolesClaim === undefined ? undefined : valueAt(claims, rolesClaim);
  if (named !== undefined) return withIncluded(wordsIn(named).filter(isRole));
  return STAFF_CLAIMS.some((name) => claims[name] === true) ? STAFF_ROLES : [];
}

/**
 * Returns the organisations of a caller. If the claim is configured but a token lacks it, staff have no organisation,
 * and services of the platform are not restricted.
 */
function organisationsIn(
  claims: Claims,
  { organisationsClaim }: StaffClaims,
  isService: boolean,
): readonly string[] | undefined {
  if (organisationsClaim === undefined) return undefined;
  const named = valueAt(claims, organisationsClaim);
  if (named === undefined && isService) return undefined;
  const words = wordsIn(named);
  return words.includes(ALL_ORGANISATIONS) ? undefined : [...new Set(words)].sort();
}

/** Finds a claim by its name, or otherwise by a path, for example `realm_access.roles`. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split(".").reduce<unknown>((value, name) => {
    const isRecord = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    return isRecord ? (value as Claims)[name] : undefined;
  }, claims);
}

/** Returns the words in a list, or in a text with white space or commas. Words have the same limits as usernames. */
function wordsIn(value: unknown): readonly string[] {
  const words: unknown[] =
    typeof value === "string" ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  return words.filter(isUsername);
}

/** A username may be reassigned, but issuer and subject never are (OpenID Connect Core 1.0, section 2). */
function subjectOf({ iss, sub }: Claims): TokenSubject {
  // Issuer and subject have the same limits as usernames.
  return isUsername(iss) && isUsername(sub) ? { issuer: iss, subject: sub } : {};
}

export function isUsername(value: unknown): value is string {
  return typeof value === "string" && USERNAME.test(value);
}

/** Returns the scopes. `scope` is a string of words (RFC 8693 section 4.2). The platform writes an array, `scopes`. */
function scopesOf({ scope, scopes }: Claims): readonly unknown[] {
  const words = typeof scope === "string" ? scope.split(" ") : [];
  return Array.isArray(scopes) ? [...words, ...scopes] : words;
}
