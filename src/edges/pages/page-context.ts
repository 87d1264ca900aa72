import type { Verification } from "../../credentials/verification/look-up-verification.js";

/** What all pages know about the service. */
export interface PageContext {
  /** Current name of the platform, which issues the credentials. */
  readonly platformName: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47 tag, for visitors whose languages we don't support. */
  readonly language: string;
  /** Base URL of the service, without a trailing slash. */
  publicUrl(): string;
}

/** Returns the platform that issued or imported a credential, under its name at that time. */
export function issuingPlatform({ platformName }: PageContext, { platform }: Verification): string {
  return platform ?? platformName;
}
