import { readSigned, writeSigned } from "#foundation/text/signed.js";
import type { PendingSignIn } from "#infrastructure/identity/sign-in-provider.js";

/** Distinguishes these signatures from others made with the same secret. */
const PURPOSE = "learning-credentials console sign-in v1";

/** Time to sign in at the provider, in seconds. */
export const PENDING_LIFETIME_S = 600;

/** A sign-in that is in progress, as stored in a cookie. */
export interface Pending extends PendingSignIn {
  readonly returnTo: string;
  /** Language that the user has chosen in the console; empty for the browser's language. */
  readonly language: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Serialises and signs a pending sign-in for a cookie. */
export function writePending(secret: string, pending: Pending): string {
  return writeSigned(secret, PURPOSE, pending);
}

/** Reads a pending sign-in from a cookie. Returns undefined if no secret verifies its signature, or it has expired. */
export function readPending(
  secrets: readonly string[],
  text: string | undefined,
  now: number,
): Pending | undefined {
  return readSigned<Pending>(secrets, PURPOSE, text ?? "", now);
}
