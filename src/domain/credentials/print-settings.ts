import { EDITION, type PrintSettings } from "#formats/rendering/generator.js";
import { isPlainAddress } from "#infrastructure/email/mailbox.js";
import type { IssuingBrand } from "../brands/brand.js";
import type { IssuerProfile } from "../keys/issuer-profile.js";
import { organisationOf } from "../learners/organisations.js";

/**
 * Settings that documents print. They are stored with each credential, so that later changes don't affect the
 * credential.
 */
export interface FrozenSettings extends PrintSettings {
  /** BCP 47 tag. */
  readonly language: string;
  readonly platformName: string;
  /** The organisation that issues the Open Badge; absent if the service itself issues it. */
  readonly issuer?: { readonly organisation: string; readonly name: string };
  readonly issuerProfile?: IssuerProfile;
  /** SHA-256 of the logo in the issuer's branding, for the badge. */
  readonly issuerLogo?: string;
  /** Contact address in the issuer's branding, for the badge. */
  readonly issuerEmail?: string;
}

/** Settings of the service, from which the settings of each credential are selected. */
export interface IssuingSettings extends Omit<FrozenSettings, "issuer" | "issuerLogo" | "issuerEmail"> {
  /** Profile of the service itself. */
  readonly issuerProfile: IssuerProfile;
  /** Issuers by organisation. */
  readonly issuers: ReadonlyMap<string, { readonly name: string; readonly profile: IssuerProfile }>;
}

/** Selects the settings for credentials in a learning context. */
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
    ...(Object.keys(issuerProfile).length > 0 && { issuerProfile: { ...issuerProfile } }),
  };
}

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
