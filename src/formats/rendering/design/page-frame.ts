import type { Rgb } from "../pdf/color.js";
import type { Figure, PageSize } from "../pdf/marks.js";
import { defaultQrSize } from "./map-positions.js";
import type { Palette } from "./palette.js";
import type { PdfOptions } from "./pdf-options.js";
import { drawQr } from "./qr.js";
import { type BuiltInElements, builtInElements } from "./text-elements.js";

/** A page's defaults for missing options. */
export interface PageFrame {
  readonly elements: BuiltInElements;
  /** Distance of texts from the edges. */
  readonly margin: number;
  readonly code: CodeFrame;
}

interface CodeFrame {
  readonly isPrinted: boolean;
  readonly side: number;
  readonly color: Rgb;
  readonly background: Rgb | undefined;
  /** @param side side length from the options, or the default above */
  at(side: number): { readonly x: number; readonly y: number };
}

/** A paper is light, so a QR code on it needs no background. A template may be dark or patterned under the code. */
export function plainFrame({ width }: PageSize, isOnPaper: boolean): PageFrame {
  return {
    elements: builtInElements,
    margin: Math.min(36, width * 0.06),
    code: {
      isPrinted: false,
      side: defaultQrSize,
      at: (side) => ({ x: width - 36 - side, y: 36 }),
      color: [0, 0, 0],
      background: isOnPaper ? undefined : [1, 1, 1],
    },
  };
}

export function qrFigure(
  { qr }: PdfOptions,
  url: string,
  { code }: PageFrame,
  palette: Palette,
): Figure | undefined {
  if (!(qr ?? code.isPrinted)) return undefined;
  const requested = typeof qr === "object" ? qr : {};
  const side = requested.size ?? code.side;
  const { x = code.at(side).x, y = code.at(side).y } = requested;
  const color = requested.color === undefined ? code.color : palette(requested.color);
  const background =
    requested.background === undefined
      ? code.background
      : requested.background && palette(requested.background);
  return {
    kind: "figure",
    option: "qr",
    operators: drawQr(url, { x, y, side, color, background: background || undefined }),
    box: { x, y, width: side, height: side },
    alt: url,
    link: url,
  };
}
