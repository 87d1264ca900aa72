import { legibleAccent } from "#foundation/color/legible-accent.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import type { IssuingBrand } from "../brands/brand.js";
import { type ConfigurableFunction, type Options, pick } from "../configurations/options.js";

/** Background colour of documents whose design doesn't set one. */
const WHITE = "#ffffff";

/**
 * Merges sets of options. Later sets override earlier sets, and the brand's values fill in options that are still
 * missing. In all sets except the first, `null` removes an option together with the brand's value.
 */
export function brandedOptions(
  generation: ConfigurableFunction,
  { name, accentColor, logo, contact, imprintUrl }: IssuingBrand,
  ...[first, ...others]: readonly [Options, ...Options[]]
): Options {
  const own = others.reduce(mergeOptions, first);
  if (!generation.brandOptions || [name, accentColor, logo, contact, imprintUrl].every((text) => text === ""))
    return own;
  const brandTexts = {
    name,
    accentColor: accentColor === "" ? "" : legibleAccent(accentColor, paperOf(own)).color,
    logo,
    contact,
    imprintUrl,
  };
  const brand = generation.brandOptions(brandTexts, pick(own, generation));
  return others.reduce(mergeOptions, mergeOptions(brand, first));
}

function paperOf({ paper }: Options): string {
  return typeof paper === "string" && /^#[\da-f]{6}$/i.test(paper) ? paper : WHITE;
}
