import type { Align } from "../pdf/marks.js";
import type { PdfOptions } from "./pdf-options.js";

interface Positioned {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly align?: Align | undefined;
  readonly width?: number | undefined;
  readonly max_width?: number | undefined;
}

/**
 * Returns an element at another position.
 * @param width width of a picture or QR code, in points; 0 for texts, whose width depends on their words
 */
export type MoveElement = <Element extends Positioned>(
  element: Element,
  kind: "text" | "picture" | "qr",
  width: number,
  height: number,
) => Element;

/** In points. */
export const defaultQrSize = 76;

/** Moves all elements except shapes and blocks. */
export function mapPositions(options: PdfOptions, move: MoveElement): PdfOptions {
  const { text_elements, images, qr, places } = options;
  const { logo, facts, signatures, seal } = places;
  const side = (typeof qr === "object" && qr.size) || defaultQrSize;
  return {
    ...options,
    text_elements: Object.fromEntries(
      Object.entries(text_elements).map(([key, element]) => [key, element && move(element, "text", 0, 0)]),
    ),
    images: images.map((image) => move(image, "picture", image.width ?? 0, image.height ?? 0)),
    qr: typeof qr === "object" ? move(qr, "qr", side, side) : qr,
    places: {
      ...(logo && { logo: move(logo, "picture", logo.width, logo.height) }),
      ...(facts && { facts: move(facts, "text", 0, 0) }),
      ...(signatures && { signatures: move(signatures, "text", 0, 0) }),
      ...(seal && { seal: move(seal, "picture", seal.size, seal.size) }),
    },
  };
}
