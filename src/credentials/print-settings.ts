import { organisationOf } from "../learners/organisations.js";
import type { PrintSettings } from "../rendering/generator.js";

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
}

/** The settings from which those of a credential are selected. */
export interface IssuingSettings extends Omit<FrozenSettings, "issuer"> {
  /** Issuers of Open Badges by organisation. */
  readonly issuers: ReadonlyMap<string, { readonly name: string }>;
}

/** Selects the settings of credentials for a learning context. */
export function frozenSettings(settings: IssuingSettings, learningContextKey: string): FrozenSettings {
  const organisation = organisationOf(learningContextKey);
  const name = settings.issuers.get(organisation)?.name;
  return { ...printedSettings(settings), ...(name !== undefined && { issuer: { organisation, name } }) };
}

/** Selects the settings that are printed. */
export function printedSettings(settings: IssuingSettings): Omit<FrozenSettings, "issuer"> {
  const { nameUppercase, dateUppercase, dateCharSpace, dateFormat, timeZone, language, platformName } =
    settings;
  return { nameUppercase, dateUppercase, dateCharSpace, dateFormat, timeZone, language, platformName };
}
