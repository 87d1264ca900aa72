import type { Cancellation } from "../concurrency/cancellation.js";

/** Who makes a call, as far as access rules are concerned. */
export type Caller = Anonymous | User | Service;

/** A caller without identity: no credentials were presented, or the method is public and ignored them. */
export interface Anonymous {
  readonly kind: "anonymous";
}

/** The owner of a name according to an identity provider: `iss` and `sub`, if a token has both. */
export interface Subject {
  readonly issuer?: string | undefined;
  readonly subject?: string | undefined;
}

/** A person with a valid token. */
export interface User extends Subject {
  readonly kind: "user";
  readonly username: string;
  readonly isStaff: boolean;
}

/** An internal platform service: a valid token with one of this service's scopes. */
export interface Service extends Subject {
  readonly kind: "service";
  readonly username: string;
  /** May call methods that change something. */
  readonly canWrite: boolean;
}

export const anonymous: Anonymous = { kind: "anonymous" };

/** Tells whether the caller may read about every learner and every context: a staff user or a service. */
export function isStaff(caller: Caller): boolean {
  return caller.kind === "service" || (caller.kind === "user" && caller.isStaff);
}

/** The credentials of a call, not verified yet. */
export interface PresentedCredentials {
  /** Value of `Authorization` (HTTP header or gRPC metadata). */
  readonly authorization?: string | undefined;
  /** Value of `Cookie`; the edges pass it on only for GET and HEAD. */
  readonly cookie?: string | undefined;
  /** True if the connection has a client certificate signed by an authority in `TLS_CLIENT_CA_FILE`. */
  readonly hasCertificate?: boolean | undefined;
}

/**
 * Identifies the caller who presents these credentials: `anonymous` if there are none.
 * @throws Problem `unauthenticated` if they are not valid, and `permission-denied` if the account may not be used
 * @throws Problem `unavailable` if the keys or the database can't be reached
 */
export type Authenticate = (
  credentials: PresentedCredentials,
  cancellation: Cancellation,
) => Caller | Promise<Caller>;

/**
 * Checks that the account behind a valid token may be used. Returns undefined, without a promise, if a recent
 * check has passed.
 * @throws Problem `permission-denied` if it may not
 */
export type CheckAccount = (user: User, cancellation: Cancellation) => undefined | Promise<void>;
