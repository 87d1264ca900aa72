import type { Align } from "../pdf/marks.js";
import type { PdfOptions } from "./pdf-options.js";

const opposite: Record<Align, Align> = { left: "right", center: "center", right: "left" };

/** Mirrors options on a page of this width. Drawings of shapes are mirrored, pictures and letters are not. */
export function mirrored(options: PdfOptions, width: number): PdfOptions {
  const { text_elements, images, qr, places } = options;
  const { logo, facts, signatures, seal } = places;
  const aligned = <T extends { readonly x: number; readonly align: Align }>(part: T): T => ({
    ...part,
    x: width - part.x,
    align: opposite[part.align],
  });
  return {
    ...options,
    text_elements: Object.fromEntries(
      Object.entries(text_elements).map(([key, element]) => [
        key,
        element && {
          ...element,
          ...(element.x !== undefined && { x: width - element.x }),
          ...(element.align !== undefined && { align: opposite[element.align] }),
        },
      ]),
    ),
    images: images.map((image) => ({ ...image, x: width - image.x - (image.width ?? 0) })),
    qr:
      typeof qr === "object" && qr.x !== undefined
        ? { ...qr, x: width - qr.x - (qr.size ?? defaultQrSize) }
        : qr,
    places: {
      ...(logo && { logo: { ...logo, x: width - logo.x - logo.width, align: opposite[logo.align] } }),
      ...(facts && { facts: aligned(facts) }),
      ...(signatures && { signatures: aligned(signatures) }),
      ...(seal && { seal: { ...seal, x: width - seal.x - seal.size } }),
    },
  };
}

/** In points. */
export const defaultQrSize = 76;
