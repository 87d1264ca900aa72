import type { PdfOptions } from "./pdf-options.js";

/**
 * Returns the options without what is hidden. Texts stay with nothing to print, so that their blocks close the gap;
 * lists stay whole, because layouts name their entries by number: who draws them skips those that are hidden.
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
