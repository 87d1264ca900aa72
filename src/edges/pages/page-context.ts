import type { Brands } from "#domain/brands/brands.js";
import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import { organisationOf } from "#domain/learners/organisations.js";

interface Issuer {
  /** `image` is the URL of the logo. */
  readonly profile: { readonly image?: string | undefined };
}

export interface PageContext {
  readonly platformName: string;
  /** IANA name of the time zone. */
  readonly timeZone: string;
  /** BCP 47 tag of the language for visitors who prefer none of the supported languages. */
  readonly language: string;
  readonly issuerProfile: Issuer["profile"];
  /** Issuers by organisation. */
  readonly issuers: ReadonlyMap<string, Issuer>;
  readonly brands: Pick<Brands, "of">;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
}

/** Returns undefined if the credential was issued elsewhere, or if there is no logo. */
export function issuerImage(site: PageContext, verification: Verification): string | undefined {
  if (verification.importedAt) return undefined;
  const own = site.issuers.get(organisationOf(verification.learningContextKey));
  return (own?.profile ?? site.issuerProfile).image;
}

/** Returns the name of the platform that issued or imported a credential, as it was at that time. */
export function issuingPlatform({ platformName }: PageContext, { platform }: Verification): string {
  return platform ?? platformName;
}
