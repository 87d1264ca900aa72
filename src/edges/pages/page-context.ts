import type { Brands } from "#domain/brands/brands.js";
import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import { organisationOf } from "#domain/learners/organisations.js";

interface Issuer {
  /** `image` is the URL of a logo. */
  readonly profile: { readonly image?: string | undefined };
}

/** Information about the service that all pages need. */
export interface PageContext {
  /** Current name of the platform that issues the credentials. */
  readonly platformName: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47 tag of the language for visitors whose languages we don't support. */
  readonly language: string;
  /** Profile of the service itself. */
  readonly issuerProfile: Issuer["profile"];
  /** Issuers by organisation. */
  readonly issuers: ReadonlyMap<string, Issuer>;
  readonly brands: Pick<Brands, "of">;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Returns the URL of the issuer's logo; undefined for a credential that was issued elsewhere, or if there is no logo.
 */
export function issuerImage(site: PageContext, verification: Verification): string | undefined {
  if (verification.importedAt) return undefined;
  const own = site.issuers.get(organisationOf(verification.learningContextKey));
  return (own?.profile ?? site.issuerProfile).image;
}

/** Returns the platform that issued or imported a credential, with its name at that time. */
export function issuingPlatform({ platformName }: PageContext, { platform }: Verification): string {
  return platform ?? platformName;
}
