import type { PdfOptions } from "./pdf-options.js";

/**
 * Returns the options without hidden elements. Hidden texts become empty, so that their blocks close the gap. Hidden
 * entries stay in lists, because layouts refer to entries by number. Drawing skips them.
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
