import { readSigned, writeSigned } from "#foundation/text/signed.js";

/** Distinguishes signatures of page tokens from other signatures made with the same secret. */
const PURPOSE = "learning-credentials lti page v1";

/** How long a page in a frame can be used, in seconds. */
const PAGE_LIFETIME_S = 3600;

/** The rights of a learner's page in a course. */
export interface PageGrant {
  readonly registrationId: number;
  readonly deploymentId: string;
  /** Sequence number of the decision about the platform at the time when the page was shown. */
  readonly decision: number;
  readonly username: string;
  readonly contextKey: string;
  readonly contextTitle: string;
  readonly language: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export function writePageToken(secret: string, grant: Omit<PageGrant, "expiresAt">, now: number): string {
  return writeSigned(secret, PURPOSE, { ...grant, expiresAt: now + PAGE_LIFETIME_S * 1000 });
}

/** Returns `undefined` if the token has expired, or if none of the secrets has signed it. */
export function readPageToken(secrets: readonly string[], text: string, now: number): PageGrant | undefined {
  return readSigned<PageGrant>(secrets, PURPOSE, text, now);
}
