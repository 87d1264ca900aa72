import { readSigned, writeSigned } from "#foundation/text/signed.js";

/** Separates these signatures from others made with the same secret. */
const PURPOSE = "learning-credentials lti page v1";

/** A page in a frame can be clicked in for this long, in seconds. */
const PAGE_LIFETIME_S = 3600;

/** What a page of a learner in a course may ask for, and for how long. */
export interface PageGrant {
  readonly registrationId: number;
  readonly deploymentId: string;
  /** The decision about the platform under which it was shown. */
  readonly decision: number;
  readonly username: string;
  readonly contextKey: string;
  readonly contextTitle: string;
  /** Tag of the page's language. */
  readonly language: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Writes a token for further clicks in a page: a frame has no session. */
export function writePageToken(secret: string, grant: Omit<PageGrant, "expiresAt">, now: number): string {
  return writeSigned(secret, PURPOSE, { ...grant, expiresAt: now + PAGE_LIFETIME_S * 1000 });
}

/** Reads it again; undefined if it was not written here, under any of the secrets, or has expired. */
export function readPageToken(secrets: readonly string[], text: string, now: number): PageGrant | undefined {
  return readSigned<PageGrant>(secrets, PURPOSE, text, now);
}
