import type { Brands } from "#domain/brands/brands.js";
import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import { organisationOf } from "#domain/learners/organisations.js";

interface Issuer {
  /** `image` is the address of a logo. */
  readonly profile: { readonly image?: string | undefined };
}

/** What all pages know about the service. */
export interface PageContext {
  /** Current name of the platform, which issues the credentials. */
  readonly platformName: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47 tag, for visitors whose languages we don't support. */
  readonly language: string;
  /** Of the service itself. */
  readonly issuerProfile: Issuer["profile"];
  /** Issuers by organisation. */
  readonly issuers: ReadonlyMap<string, Issuer>;
  readonly brands: Pick<Brands, "of">;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
}

/** The address of the issuer's logo; undefined for a credential that was issued elsewhere, or if there is none. */
export function issuerImage(site: PageContext, verification: Verification): string | undefined {
  if (verification.importedAt) return undefined;
  const own = site.issuers.get(organisationOf(verification.learningContextKey));
  return (own?.profile ?? site.issuerProfile).image;
}

/** Returns the platform that issued or imported a credential, under its name at that time. */
export function issuingPlatform({ platformName }: PageContext, { platform }: Verification): string {
  return platform ?? platformName;
}
