import type { IssuingBrand } from "../brands/brand.js";
import { legibleAccent } from "../brands/legible-accent.js";
import { type ConfigurableFunction, mergeOptions, type Options, pick } from "../configurations/options.js";

/** Documents are looked at on paper. */
const PAPER = "#ffffff";

/**
 * Merges options, each over those before it, and over what a brand stands for where all of them leave it open. `null`
 * in a later one leaves the brand's out, too.
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
