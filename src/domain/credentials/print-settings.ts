import { EDITION, type PrintSettings } from "#formats/rendering/generator.js";
import { isPlainAddress } from "#infrastructure/email/mailbox.js";
import type { IssuingBrand } from "../brands/brand.js";
import type { IssuerProfile } from "../keys/issuer-profile.js";
import { organisationOf } from "../learners/organisations.js";

/**
 * What the service adds to every document. It is stored with a credential at issuing, so that it can't change
 * later.
 */
export interface FrozenSettings extends PrintSettings {
  /** BCP 47. */
  readonly language: string;
  readonly platformName: string;
  /** The organisation that issues the Open Badge under a name of its own; absent: the service issues it. */
  readonly issuer?: { readonly organisation: string; readonly name: string };
  /** What the Open Badge says about its issuer; absent: nothing. */
  readonly issuerProfile?: IssuerProfile;
  /** SHA-256 of the logo of the issuer's brand, for the badge; absent: none. */
  readonly issuerLogo?: string;
  /** The email address at which the issuer's brand answers questions, for the badge; absent: none. */
  readonly issuerEmail?: string;
}

/** The settings from which those of a credential are selected. */
export interface IssuingSettings extends Omit<FrozenSettings, "issuer" | "issuerLogo" | "issuerEmail"> {
  /** Of the service itself. */
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
