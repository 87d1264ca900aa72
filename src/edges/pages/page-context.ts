import type { Verification } from "../../credentials/verification/look-up-verification.js";

/** What all pages know of the service. */
export interface PageContext {
  /** Who issues its credentials today. */
  readonly platformName: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47 tag, for visitors whose languages we don't speak. */
  readonly language: string;
  /** Where it is reached from outside, without a slash at its end. */
  publicUrl(): string;
}

/** Who has issued a credential here, or taken it over: as named then, whatever the platform is called today. */
export function issuingPlatform({ platformName }: PageContext, { platform }: Verification): string {
  return platform ?? platformName;
}
