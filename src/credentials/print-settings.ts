import type { PrintSettings } from "../rendering/generator.js";

/**
 * What the service adds to every document. It is stored with a credential at issuing, so that it can't change
 * later.
 */
export interface FrozenSettings extends PrintSettings {
  /** BCP 47. */
  readonly language: string;
  readonly platformName: string;
}

/** Selects the settings that are printed. */
export function frozenSettings(settings: FrozenSettings): FrozenSettings {
  const { nameUppercase, dateUppercase, dateCharSpace, dateFormat, timeZone, language, platformName } =
    settings;
  return { nameUppercase, dateUppercase, dateCharSpace, dateFormat, timeZone, language, platformName };
}
