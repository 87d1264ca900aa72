import { readSigned, writeSigned } from "#foundation/text/signed.js";

/** Distinguishes these signatures from others made with the same secret. */
const PURPOSE = "learning-credentials lti page v1";

/** How long a page in a frame stays usable, in seconds. */
const PAGE_LIFETIME_S = 3600;

/** What a learner's page in a course may request, and until when. */
export interface PageGrant {
  readonly registrationId: number;
  readonly deploymentId: string;
  /** Number of the decision about the platform when the page was shown. */
  readonly decision: number;
  readonly username: string;
  readonly contextKey: string;
  readonly contextTitle: string;
  /** Language tag of the page. */
  readonly language: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Writes a token for further requests from a page, because a page in a frame has no session. */
export function writePageToken(secret: string, grant: Omit<PageGrant, "expiresAt">, now: number): string {
  return writeSigned(secret, PURPOSE, { ...grant, expiresAt: now + PAGE_LIFETIME_S * 1000 });
}

/** Verifies and reads a page token; undefined if none of the secrets has signed it, or if it has expired. */
export function readPageToken(secrets: readonly string[], text: string, now: number): PageGrant | undefined {
  return readSigned<PageGrant>(secrets, PURPOSE, text, now);
}
