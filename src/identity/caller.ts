import type { Cancellation } from "../concurrency/cancellation.js";

/** Who makes a call, as far as the access rules care. */
export type Caller = Anonymous | User | Service;

/** Nobody in particular: no credentials were presented, or the method is public and did not look at them. */
export interface Anonymous {
  readonly kind: "anonymous";
}

/** To whom a name belongs, in an identity provider's words: `iss` and `sub`, where a token has both. */
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

/** An internal platform service: a valid token with a scope of ours. */
export interface Service extends Subject {
  readonly kind: "service";
  readonly username: string;
  /** May call methods that change something. */
  readonly canWrite: boolean;
}

export const anonymous: Anonymous = { kind: "anonymous" };

/** Whether the caller may look at every learner and every context: a staff user or a service. */
export function isStaff(caller: Caller): boolean {
  return caller.kind === "service" || (caller.kind === "user" && caller.isStaff);
}

/** The credentials that came with a call, not looked at yet. */
export interface PresentedCredentials {
  /** Value of `Authorization` (HTTP header or gRPC metadata). */
  readonly authorization?: string | undefined;
  /** Value of `Cookie`; left out by the edges on anything but GET and HEAD. */
  readonly cookie?: string | undefined;
  /** The connection came with a certificate that is signed as `TLS_CLIENT_CA_FILE` says. */
  readonly hasCertificate?: boolean | undefined;
}

/**
 * Tells who presents these credentials: `anonymous` when there are none.
 * @throws Problem `unauthenticated` when they are not valid, `permission-denied` when the account is shut out,
 *   `unavailable` when the keys to check them, or the database, are out of reach
 */
export type Authenticate = (
  credentials: PresentedCredentials,
  cancellation: Cancellation,
) => Caller | Promise<Caller>;

/**
 * Looks whether the account behind a valid token may be used; at once where that was found a moment ago.
 * @throws Problem `permission-denied` when it may not
 */
export type CheckAccount = (user: User, cancellation: Cancellation) => undefined | Promise<void>;
