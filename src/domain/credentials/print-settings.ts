import { EDITION, type PrintSettings } from "#formats/rendering/generator.js";
import { isPlainAddress } from "#infrastructure/email/mailbox.js";
import type { IssuingBrand } from "../brands/brand.js";
import type { IssuerProfile } from "../keys/issuer-profile.js";
import { organisationOf } from "../learners/organisations.js";

/**
 * Settings of the service for every document, stored with a credential when it is issued, so that later changes have no
 * effect.
 */
export interface FrozenSettings extends PrintSettings {
  /** BCP 47. */
  readonly language: string;
  readonly platformName: string;
  /** The organisation that issues the Open Badge under its own name; absent if the service issues it. */
  readonly issuer?: { readonly organisation: string; readonly name: string };
  /** The issuer's profile in the Open Badge; absent if there is none. */
  readonly issuerProfile?: IssuerProfile;
  /** SHA-256 of the logo of the issuer's branding, for the badge; absent if there is none. */
  readonly issuerLogo?: string;
  /** Contact email address from the issuer's branding, for the badge; absent if there is none. */
  readonly issuerEmail?: string;
}

/** The settings from which those of a credential are taken. */
export interface IssuingSettings extends Omit<FrozenSettings, "issuer" | "issuerLogo" | "issuerEmail"> {
  /** Profile of the service itself. */
  readonly issuerProfile: IssuerProfile;
  /** Issuers of Open Badges by organisation. */
  readonly issuers: ReadonlyMap<string, { readonly name: string; readonly profile: IssuerProfile }>;
}

/** Selects the settings of credentials for a learning context. */
export function frozenSettings(
  settings: IssuingSettings,
  learningContextKey: string,
  { logoSha256, contact }: Pick<IssuingBrand, "logoSha256" | "contact">,
): FrozenSettings {
  const organisation = organisationOf(learningContextKey);
  const own = settings.issuers.get(organisation);
  const issuerProfile = own ? own.profile : settings.issuerProfile;
  return {
    ...printedSettings(settings),
    ...(own && { issuer: { organisation, name: own.name } }),
    ...(logoSha256 !== null && { issuerLogo: logoSha256 }),
    ...(isPlainAddress(contact) && { issuerEmail: contact }),
    ...(Object.keys(issuerProfile).length > 0 && { issuerProfile }),
  };
}

/** Selects the settings that are printed. */
export function printedSettings(
  settings: IssuingSettings,
): Omit<FrozenSettings, "issuer" | "issuerProfile" | "issuerLogo" | "issuerEmail"> {
  const { nameUppercase, dateUppercase, dateCharSpace, dateFormat, timeZone, language, platformName } =
    settings;
  return {
    nameUppercase,
    dateUppercase,
    dateCharSpace,
    dateFormat,
    timeZone,
    language,
    platformName,
    edition: EDITION,
  };
}
