import { readSigned, writeSigned } from "#foundation/text/signed.js";
import type { PendingSignIn } from "#infrastructure/identity/sign-in-provider.js";

/** Separates these signatures from others made with the same secret. */
const PURPOSE = "learning-credentials console sign-in v1";

/** Time to sign in with the provider, in seconds. */
export const PENDING_LIFETIME_S = 600;

/** A sign-in that a browser has started, as its cookie holds it. */
export interface Pending extends PendingSignIn {
  readonly returnTo: string;
  /** The language that the reader has chosen in the console; empty for the browser's. */
  readonly language: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Writes a sign-in for a cookie, with a signature. */
export function writePending(secret: string, pending: Pending): string {
  return writeSigned(secret, PURPOSE, pending);
}

/** Reads it again; undefined if it was not written here, under any of the secrets, or has expired. */
export function readPending(
  secrets: readonly string[],
  text: string | undefined,
  now: number,
): Pending | undefined {
  return readSigned<Pending>(secrets, PURPOSE, text ?? "", now);
}
