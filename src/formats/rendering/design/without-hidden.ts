import type { PdfOptions } from "./pdf-options.js";

/**
 * Returns the options without hidden elements. Hidden texts are kept with nothing to print, so that their blocks close
 * the gap. Lists are kept whole, because layouts refer to their entries by number; the code that draws them skips hidden
 * entries.
 */
export function withoutHidden(options: PdfOptions): PdfOptions {
  const { text_elements, places, qr } = options;
  return {
    ...options,
    text_elements: Object.fromEntries(
      Object.entries(text_elements).map(([key, element]) => [
        key,
        element !== false && element.hidden ? { ...element, text: "" } : element,
      ]),
    ),
    places: Object.fromEntries(Object.entries(places).filter(([, place]) => !place?.hidden)),
    ...(typeof qr === "object" && qr.hidden && { qr: false }),
  };
}
