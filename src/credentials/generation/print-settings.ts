import type { PrintSettings } from "../../rendering/generator.js";

/** What the service adds to every document. Kept with a credential when it is issued, so that it can't change later. */
export interface FrozenSettings extends PrintSettings {
  /** BCP 47. */
  readonly language: string;
  readonly platformName: string;
}

/** The part of the service's settings that is printed. */
export function frozenSettings(settings: FrozenSettings): FrozenSettings {
  const { nameUppercase, dateUppercase, dateCharSpace, dateFormat, timeZone, language, platformName } =
    settings;
  return { nameUppercase, dateUppercase, dateCharSpace, dateFormat, timeZone, language, platformName };
}
