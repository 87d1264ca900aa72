import type { LaidElement, LaidText, Layout } from "../layout.js";
import { colorToHex } from "../pdf/color.js";
import { type Box, boxOf, type Mark, type TextMark } from "../pdf/marks.js";
import { MIN_LEGIBLE_SIZE, type TextBlock } from "../text/fit-text.js";
import { type HasCharacter, uncovered } from "../text/font-coverage.js";

/** A text's options after defaults and inheritance. */
export type RequestedText = Pick<LaidText, "x" | "y" | "align" | "color" | "requestedSize" | "room" | "font">;

interface LaidDocument extends Omit<Layout, "elements"> {
  readonly marks: readonly Mark[];
  /** The texts that the options place, by option path. Includes texts with nothing to print. */
  readonly requested: ReadonlyMap<string, RequestedText>;
  /** The institution's fonts. */
  readonly own: readonly HasCharacter[];
  fontName(face: string): string;
}

/** Returns the positions of a document's marks, and how its texts were set. */
export function layoutOf({ marks, requested, own, fontName, ...page }: LaidDocument): Layout {
  const printed = new Set(marks.map(({ option }) => option));
  const elements = marks.flatMap((mark): LaidElement[] => {
    const { option } = mark;
    if (mark.kind !== "text") {
      return mark.box ? [{ option, kind: option === "qr" ? "qr" : "picture", box: mark.box }] : [];
    }
    const text = {
      ...((option === undefined ? undefined : requested.get(option)) ?? requestedOf(mark)),
      ...setting(mark, own, fontName),
    };
    return [
      {
        option,
        kind: "text",
        box: boxOf(mark),
        text: { ...text, shrunk: text.size < text.requestedSize - 0.01 },
      },
    ];
  });
  const empty = [...requested].filter(([option]) => !printed.has(option));
  return { ...page, elements: [...elements, ...empty.map(emptyElement)] };
}

/** Returns the settings of a text that the design places itself. Options can't override these settings. */
function requestedOf({ x, baseline, align, color, block }: TextMark): RequestedText {
  return { x, y: baseline, align, color: colorToHex(color), requestedSize: block.size };
}

function setting(
  { block, baseline }: TextMark,
  own: readonly HasCharacter[],
  fontName: LaidDocument["fontName"],
) {
  const faces = block.lines.flatMap(({ runs }) => runs.map(({ face }) => fontName(face.name)));
  return {
    words: block.text,
    size: block.size,
    baseline,
    lines: block.lines.length,
    wrapped: block.lines.length > writtenLines(block),
    unreadable: block.size < MIN_LEGIBLE_SIZE,
    fonts: [...new Set(faces)],
    missing: uncovered(block.text, own),
  };
}

function writtenLines({ text }: TextBlock): number {
  return text.split(/\r\n?|\n/).filter((line) => line.trim() !== "").length;
}

function emptyElement([option, requested]: [string, RequestedText]): LaidElement {
  const { x, y, requestedSize } = requested;
  const box: Box = { x, y, width: 0, height: 0 };
  const nothing = { words: "", size: requestedSize, baseline: y, lines: 0, fonts: [], missing: [] };
  const text = { ...requested, ...nothing, shrunk: false, wrapped: false, unreadable: false };
  return { option, kind: "text", box, text };
}
