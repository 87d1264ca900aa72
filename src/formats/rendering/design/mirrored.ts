import type { Align } from "../pdf/marks.js";
import { mapPositions } from "./map-positions.js";
import type { PdfOptions } from "./pdf-options.js";

const opposite: Record<Align, Align> = { left: "right", center: "center", right: "left" };

/** Mirrors options on a page of this width. Drawings of shapes are mirrored, pictures and letters are not. */
export function mirrored(options: PdfOptions, pageWidth: number): PdfOptions {
  return mapPositions(options, (element, _, width) => ({
    ...element,
    ...(element.x !== undefined && { x: pageWidth - element.x - width }),
    ...(element.align !== undefined && { align: opposite[element.align] }),
  }));
}
