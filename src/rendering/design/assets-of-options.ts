import type { AssetKind, AssetReference } from "../generator.js";
import { isFontFamily } from "../text/font-families.js";
import type { PdfOptions } from "./pdf-options.js";

/** Kinds of assets that can be pictures. */
export const pictureKinds: readonly AssetKind[] = ["png", "jpeg", "svg"];
/** Kinds of assets that can be a page to print on. */
export const templateKinds: readonly AssetKind[] = ["pdf", ...pictureKinds];

/** Lists the assets to which options refer, with the option that refers to each. */
export function assetsOfOptions(options: PdfOptions): AssetReference[] {
  const { template, template_multiline, defaults, text_elements, logo, signatory, images } = options;
  const fonts = Object.entries(text_elements).map(
    ([key, element]) => [`text_elements.${key}.font`, element === false ? undefined : element.font] as const,
  );
  const named = [
    ["template", template, templateKinds],
    ["template_multiline", template_multiline, templateKinds],
    ...[["defaults.font", defaults.font] as const, ...fonts].map(
      ([option, font]) =>
        [option, font !== undefined && isFontFamily(font) ? undefined : font, ["font"]] as const,
    ),
    ["logo", logo, pictureKinds],
    ["signatory.image", signatory?.image, pictureKinds],
    ...images.map(({ asset }, index) => [`images.${index}.asset`, asset, pictureKinds] as const),
  ] as const;
  return named.flatMap(([option, slug, kinds]) => (slug === undefined ? [] : [{ option, slug, kinds }]));
}
