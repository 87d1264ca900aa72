import { alignShare, type Box, type PageSize } from "../pdf/marks.js";
import { type MoveElement, mapPositions } from "./map-positions.js";
import type { Shape } from "./page-options.js";
import type { PdfOptions } from "./pdf-options.js";

/**
 * Converts options to another page size. Positions, distances and cropped pictures are scaled. Texts, circles and all
 * other pictures keep their size.
 */
export function fitted(options: PdfOptions, from: PageSize, to: PageSize): PdfOptions {
  const [across, up] = [to.width / from.width, to.height / from.height];
  const move: MoveElement = (element, kind, width, height) => {
    const { x, y, align = "center" } = element;
    if (kind === "qr") {
      if (x === undefined || y === undefined) return element;
      // Scales the margins around the code, so that it stays on the page.
      return {
        ...element,
        x: (x * (to.width - width)) / Math.max(1, from.width - width),
        y: (y * (to.height - height)) / Math.max(1, from.height - height),
      };
    }
    return {
      ...element,
      ...(x !== undefined && { x: aroundAnchor(x, width * alignShare(align), across) }),
      ...(y !== undefined && { y: aroundAnchor(y, height / 2, up) }),
      ...(kind === "text" && element.width !== undefined && { width: element.width * across }),
      ...(kind === "text" && element.max_width !== undefined && { max_width: element.max_width * across }),
    };
  };
  const stretched = ({ x, y, width, height }: Box): Box => ({
    x: x * across,
    y: y * up,
    width: width * across,
    height: height * up,
  });
  const shaped = (shape: Shape): Shape => {
    const { kind, width, height, path } = shape;
    if (kind === "rosette" || (kind === "ellipse" && width === height))
      return move(shape, "picture", width, height);
    return {
      ...shape,
      ...stretched(shape),
      ...(path !== undefined && { path: scaled(path, across, up) }),
    };
  };
  return {
    ...mapPositions(options, move),
    images: options.images.map((image) => {
      const { x, y, width = 0, height = 0, crop } = image;
      return crop && width > 0 && height > 0
        ? { ...image, ...stretched({ x, y, width, height }) }
        : move(image, "picture", width, height);
    }),
    shapes: options.shapes.map(shaped),
    blocks: Object.fromEntries(
      Object.entries(options.blocks).map(([name, block]) => [
        name,
        { ...block, top: block.top * up, bottom: block.bottom * up },
      ]),
    ),
  };
}

/**
 * Scales the position of an element's anchor, but not the element's size.
 * @param offset distance of the anchor from the position
 */
function aroundAnchor(position: number, offset: number, scale: number): number {
  return (position + offset) * scale - offset;
}

/** Scales a path, whose numbers are pairs of coordinates. */
function scaled(path: string, across: number, up: number): string {
  let isAcross = true;
  return path.replace(/-?(?:\d+(?:\.\d*)?|\.\d+)/g, (number) => {
    const written = ` ${(Number(number) * (isAcross ? across : up)).toFixed(3)} `;
    isAcross = !isAcross;
    return written;
  });
}
