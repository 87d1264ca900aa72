import type { DesignOptions } from "#formats/rendering/designs/design-file.js";
import { type DesignName, designNames, designs } from "#formats/rendering/designs/list.js";
import { languagesOf } from "#foundation/languages/languages.js";

export interface DescribedDesign {
  readonly name: DesignName;
  readonly title: string;
  readonly description: string;
  readonly customOptions: DesignOptions;
}

const languages = languagesOf("design");

/**
 * Returns the designs in display order.
 * @param language BCP 47 tag of the texts; if the language is not supported, the texts are in English
 */
export function describedDesigns(language: string): DescribedDesign[] {
  const words = languages.choose([language]);
  return designNames.map((name) => ({
    name,
    title: words[name],
    description: words[`${name}Means`],
    customOptions: designs[name],
  }));
}
