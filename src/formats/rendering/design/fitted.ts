import { alignShare, type PageSize } from "../pdf/marks.js";
import { defaultQrSize } from "./mirrored.js";
import type { Shape } from "./page-options.js";
import type { PdfOptions } from "./pdf-options.js";

interface Square {
  readonly x: number;
  readonly y: number;
}

/** Converts options to another page size. Positions and distances scale; texts, pictures and circles don't. */
export function fitted(options: PdfOptions, from: PageSize, to: PageSize): PdfOptions {
  const [across, up] = [to.width / from.width, to.height / from.height];
  /** Scales the position of an element's middle, not its size. */
  const moved = <T extends Square>(part: T, width: number, height: number): T => ({
    ...part,
    x: (part.x + width / 2) * across - width / 2,
    y: (part.y + height / 2) * up - height / 2,
  });
  /** Scales the margins around an element, not its size. */
  const within = <T extends Square>(part: T, side: number): T => ({
    ...part,
    x: (part.x * (to.width - side)) / Math.max(1, from.width - side),
    y: (part.y * (to.height - side)) / Math.max(1, from.height - side),
  });
  const row = <T extends Square & { readonly width: number }>(part: T): T => ({
    ...part,
    x: part.x * across,
    y: part.y * up,
    width: part.width * across,
  });
  const shaped = (shape: Shape): Shape => {
    const { kind, width, height, path } = shape;
    if (kind === "rosette" || (kind === "ellipse" && width === height)) return moved(shape, width, height);
    return {
      ...row(shape),
      height: height * up,
      ...(path !== undefined && { path: scaled(path, across, up) }),
    };
  };
  const { text_elements, images, qr, places, shapes, blocks } = options;
  const { logo, facts, signatures, seal } = places;
  return {
    ...options,
    text_elements: Object.fromEntries(
      Object.entries(text_elements).map(([key, element]) => [
        key,
        element && {
          ...element,
          ...(element.x !== undefined && { x: element.x * across }),
          ...(element.y !== undefined && { y: element.y * up }),
          ...(element.max_width !== undefined && { max_width: element.max_width * across }),
        },
      ]),
    ),
    images: images.map((image) => moved(image, image.width ?? 0, image.height ?? 0)),
    qr:
      typeof qr === "object" && qr.x !== undefined && qr.y !== undefined
        ? { ...qr, ...within({ x: qr.x, y: qr.y }, qr.size ?? defaultQrSize) }
        : qr,
    places: {
      ...(logo && {
        logo: {
          ...moved(logo, logo.width, logo.height),
          x: (logo.x + logo.width * alignShare(logo.align)) * across - logo.width * alignShare(logo.align),
        },
      }),
      ...(facts && { facts: row(facts) }),
      ...(signatures && { signatures: row(signatures) }),
      ...(seal && { seal: moved(seal, seal.size, seal.size) }),
    },
    shapes: shapes.map(shaped),
    blocks: Object.fromEntries(
      Object.entries(blocks).map(([name, block]) => [
        name,
        { ...block, top: block.top * up, bottom: block.bottom * up },
      ]),
    ),
  };
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
