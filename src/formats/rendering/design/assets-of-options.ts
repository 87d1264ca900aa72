import type { AssetReference } from "../generator.js";
import { isFontFamily } from "../text/font-families.js";
import { pictureKinds, templateKinds } from "./asset-kinds.js";
import type { PdfOptions } from "./pdf-options.js";

const unchecked = "pdf_a is true, and PDF templates are not checked for PDF/A";

export function assetsOfOptions(options: PdfOptions): AssetReference[] {
  const [pages, because] = options.pdf_a ? [pictureKinds, unchecked] : [templateKinds];
  const { template, template_multiline, defaults, text_elements, logo, seal, signatory, images } = options;
  const { facts, signatures } = options.places;
  const fonts = Object.entries(text_elements).map(
    ([key, element]) => [`text_elements.${key}.font`, element === false ? undefined : element.font] as const,
  );
  const named = [
    ["template", template, pages, because],
    ["template_multiline", template_multiline, pages, because],
    ...[
      ["defaults.font", defaults.font] as const,
      ...fonts,
      ["places.facts.font", facts?.font] as const,
      ["places.facts.label_font", facts?.label_font] as const,
      ["places.signatures.font", signatures?.font] as const,
      ["places.signatures.label_font", signatures?.label_font] as const,
    ].map(
      ([option, font]) =>
        [option, font !== undefined && isFontFamily(font) ? undefined : font, ["font"]] as const,
    ),
    ["logo", logo, pictureKinds],
    ["seal", seal, pictureKinds],
    ["signatory.image", signatory?.image, pictureKinds],
    ...options.signatories.map(
      ({ image }, index) => [`signatories.${index}.image`, image, pictureKinds] as const,
    ),
    ...images.map(({ asset }, index) => [`images.${index}.asset`, asset, pictureKinds] as const),
  ] as const;
  return named.flatMap(([option, slug, kinds, because]) =>
    slug === undefined ? [] : [{ option, slug, kinds, ...(because !== undefined && { because }) }],
  );
}
