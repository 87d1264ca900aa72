import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { ROLES, type Role } from "./roles.js";

/** The caller, with the properties on which access rules depend. */
export type Caller = Anonymous | User | Service | System;

/** No credentials were presented, or the method is public and ignored them. */
interface Anonymous {
  readonly kind: "anonymous";
}

/** The owner of a name according to an identity provider: `iss` and `sub`, if a token has both. */
export interface TokenSubject {
  readonly issuer?: string | undefined;
  readonly subject?: string | undefined;
}

interface Named extends TokenSubject {
  readonly username: string;
  /** The organisations that a restricted caller may access: the `org` part of context keys; undefined: all. */
  readonly organisations?: readonly string[] | undefined;
  /** When the token or session expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/** A person with a valid token or session. */
export interface User extends Named {
  readonly kind: "user";
  /** Whether the user has any roles. */
  readonly isStaff: boolean;
  /** Includes the roles that these roles contain. */
  readonly roles: readonly Role[];
  /** The console session: the hash of its token in hexadecimal; undefined for a token. */
  readonly session?: string | undefined;
  /** Whether the user is a worker of the learning platform, which may call methods declared `platform_worker`. */
  readonly isPlatformWorker?: boolean | undefined;
}

/** An internal platform service: a valid token with one of this service's scopes. */
interface Service extends Named {
  readonly kind: "service";
  /** Whether the service may call methods that change data. */
  readonly canWrite: boolean;
}

/** Someone at the command line of the service, who may do everything. */
interface System extends Named {
  readonly kind: "system";
}

export const anonymous: Anonymous = { kind: "anonymous" };

/**
 * Returns whether the caller may read about other learners: a staff user, a service, or the command line. A caller
 * restricted to organisations may do so only within these.
 */
export function isStaff(caller: Caller): boolean {
  return caller.kind === "user" ? caller.isStaff : caller.kind !== "anonymous";
}

/** Returns whether the caller is signed in to the console. */
export function isConsole(caller: Caller): boolean {
  return caller.kind === "user" && caller.session !== undefined;
}

/** Services and the command line have all roles. */
export function rolesOf(caller: Caller): readonly Role[] {
  if (caller.kind === "user") return caller.roles;
  return caller.kind === "anonymous" ? [] : ROLES;
}

export function hasRole(caller: Caller, role: Role): boolean {
  return rolesOf(caller).includes(role);
}

export function organisationsOf(caller: Caller): readonly string[] | undefined {
  return caller.kind === "anonymous" ? undefined : caller.organisations;
}

/** The unverified credentials of a call. */
export interface PresentedCredentials {
  /** Value of `Authorization` (HTTP header or gRPC metadata). */
  readonly authorization?: string | undefined;
  /** Value of `Cookie`. The edges pass it on only for GET and HEAD. */
  readonly cookie?: string | undefined;
  /** Token of a session. Only the console's endpoints pass it on, without other credentials. */
  readonly session?: string | undefined;
  /** Token of a page in a platform's frame. Only the LTI endpoints pass it on, without other credentials. */
  readonly page?: string | undefined;
  /** Whether the connection has a client certificate signed by an authority in `TLS_CLIENT_CA_FILE`. */
  readonly hasCertificate?: boolean | undefined;
}

/**
 * Identifies the caller; `anonymous` without credentials.
 * @throws Problem `unauthenticated` if the credentials are not valid; `permission-denied` if the account may not be
 * used; `unavailable` if the keys or the database can't be reached
 */
export type Authenticate = (
  credentials: PresentedCredentials,
  cancellation: Cancellation,
) => Caller | Promise<Caller>;

/**
 * Checks that the account behind a valid token may be used. Returns undefined, without a promise, if a recent check has
 * passed.
 * @throws Problem `permission-denied` if the account may not be used
 */
export type CheckAccount = (user: User, cancellation: Cancellation) => undefined | Promise<void>;
