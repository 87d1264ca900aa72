import { readSigned, writeSigned } from "#foundation/text/signed.js";
import type { PendingSignIn } from "#infrastructure/identity/sign-in-provider.js";

/** Distinguishes these signatures from others that use the same secret. */
const PURPOSE = "learning-credentials console sign-in v1";

/** How long a user may take to sign in at the provider, in seconds. */
export const PENDING_LIFETIME_S = 600;

/** A sign-in in progress, which is stored in a cookie. */
interface Pending extends PendingSignIn {
  readonly returnTo: string;
  /** The language chosen in the console; empty to use the browser's language. */
  readonly language: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

export function writePending(secret: string, pending: Pending): string {
  return writeSigned(secret, PURPOSE, pending);
}

/** Reads a pending sign-in. Returns undefined if it has expired, or if none of the secrets verifies its signature. */
export function readPending(
  secrets: readonly string[],
  text: string | undefined,
  now: number,
): Pending | undefined {
  return readSigned<Pending>(secrets, PURPOSE, text ?? "", now);
}
