import type { IssuingBrand } from "../brands/brand.js";
import { legibleAccent } from "../brands/legible-accent.js";
import { type ConfigurableFunction, mergeOptions, type Options, pick } from "../configurations/options.js";

/** The background of documents is paper. */
const PAPER = "#ffffff";

/**
 * Merges options, each over those before it. Where all of them leave an option open, the brand's value is used. `null`
 * in a later one removes the brand's value, too.
 */
export function brandedOptions(
  generation: ConfigurableFunction,
  { name, accentColor, logo, contact, imprintUrl }: IssuingBrand,
  ...[first, ...others]: readonly [Options, ...Options[]]
): Options {
  const own = others.reduce(mergeOptions, first);
  if (!generation.brandOptions || [name, accentColor, logo, contact, imprintUrl].every((text) => text === ""))
    return own;
  const said = {
    name,
    accentColor: accentColor === "" ? "" : legibleAccent(accentColor, PAPER).color,
    logo,
    contact,
    imprintUrl,
  };
  const brand = generation.brandOptions(said, pick(own, generation));
  return others.reduce(mergeOptions, mergeOptions(brand, first));
}
