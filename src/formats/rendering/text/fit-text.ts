import { failedPrecondition } from "#foundation/errors.js";
import { breakLines, breakPhrases, type LineWidths } from "./break-lines.js";
import { type LaidLine, type Paragraph, paragraphs, type TextStyle } from "./text-lines.js";

/** The space for a text. Lengths are in points. */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** Size of the text if it fits without further line breaks. */
  readonly size: number;
  /** A text shrinks to this size before it wraps. It shrinks further only if it doesn't fit in `maxLines` lines. */
  readonly minSize: number;
  readonly maxLines: number;
  /** True if `maxLines` also applies to texts with broken words. */
  readonly keepsLines?: boolean;
  /** Minimum size of a text for which `named` is set. Default: the smallest legible size */
  readonly leastSize?: number | undefined;
  /** Distance between baselines, as a multiple of the font size, regardless of the script's height. */
  readonly lineHeight?: number;
  /**
   * Name of the text in the error if it would be too small to read. A text without a name is never rejected: it is
   * printed at any size.
   */
  readonly named?: string;
}

/** A text in its final size. Lengths are in points; `step` is the distance between baselines. */
export interface TextBlock {
  readonly text: string;
  readonly lines: readonly LaidLine[];
  readonly size: number;
  readonly step: number;
  /** Distance from the top of the block to its first baseline. */
  readonly ascent: number;
  readonly height: number;
  readonly width: number;
  /** True if any part of the text is right-to-left. */
  readonly rightToLeft: boolean;
}

/**
 * Minimum extents of a line above and below its baseline, as shares of the font size. They are the extents of Latin
 * text, so that a text has the same position with and without descenders.
 */
export const nominalAscent = 0.66;
export const nominalDescent = 0.24;
const leading = 1.14;
const lineClearance = 0.1;

/** In points. Smaller text prints as a grey line. */
export const MIN_LEGIBLE_SIZE = 5;
/** Words are broken if a text would otherwise shrink below this share of its size. */
const MIN_UNBROKEN = 0.3;
/** Maximum number of lines of a text in which words had to be split. */
const MAX_BROKEN_LINES = 12;

/**
 * Sets a text as large as its room allows. Tries `size`, then smaller sizes, then more lines of balanced length, and
 * finally breaks overlong words. The text never exceeds the room.
 * @throws Problem `failed-precondition` if the room has a name and the text would be too small to read
 */
export function fitText(text: string, style: TextStyle, room: Room): TextBlock {
  const parts = paragraphs(text, style);
  const keepsPhrases = style.keepsPhrases ?? false;
  const unbroken = setLargest(text, parts, room, keepsPhrases);
  const least = leastOf(room);
  if (unbroken.size >= least) return unbroken;
  const cut = parts.map((part) => part.cut(room.width / least));
  const broken = setLargest(
    text,
    cut,
    {
      ...room,
      minSize: least,
      maxLines: room.keepsLines ? room.maxLines : MAX_BROKEN_LINES,
    },
    false,
  );
  const best = broken.size > unbroken.size ? broken : unbroken;
  const { leastSize = MIN_LEGIBLE_SIZE } = room;
  if (room.named === undefined || best.size >= Math.min(room.size, leastSize)) return best;
  throw failedPrecondition(
    `The text of ${room.named} would be printed at ${best.size.toFixed(1)} points, but ${room.leastSize === undefined ? "legible text needs" : "its options require"} at least ${leastSize}: ` +
      "give it more room in the options, or use fewer characters.",
    { reason: "NOT_PRINTABLE" },
  );
}

/** Returns the size below which words are broken. */
function leastOf({ size }: Room): number {
  return Math.min(size, Math.max(MIN_LEGIBLE_SIZE, size * MIN_UNBROKEN));
}

/**
 * Returns the block with the fewest lines that reaches the minimum size. If none does, returns the block with the
 * largest size.
 */
function setLargest(text: string, parts: readonly Paragraph[], room: Room, keepsPhrases: boolean): TextBlock {
  const most = Math.max(parts.length, room.maxLines);
  let best: TextBlock | undefined;
  for (let count = parts.length; count <= most; count++) {
    const lines = keepsPhrases
      ? breakPhrases(parts, count, (narrowest) => lineWidths(room, count, narrowest))
      : breakLines(parts, count);
    const block = setLines(text, lines, room);
    if (!best || block.size > best.size) best = block;
    if (best.size >= room.minSize) break;
  }
  return best ?? setLines(text, [], room);
}

/** To end its lines between phrases, a text may shrink, but not below this share of its size. */
const MIN_SHRINK_FOR_PHRASES = 0.85;

function lineWidths(room: Room, count: number, narrowest: number): LineWidths {
  const height = nominalAscent + (room.lineHeight ?? leading) * (count - 1) + nominalDescent;
  const full = Math.min(room.size, room.height / height);
  const size = Math.min(full, room.width / narrowest);
  const least = Math.max(size * MIN_SHRINK_FOR_PHRASES, leastOf(room), room.leastSize ?? 0);
  return { free: room.width / full, most: room.width / Math.min(size, least) };
}

function setLines(text: string, lines: readonly LaidLine[], room: Room): TextBlock {
  const widest = Math.max(0.01, ...lines.map((line) => line.width));
  const ascent = Math.max(nominalAscent, lines[0]?.ascent ?? 0);
  const descent = Math.max(nominalDescent, lines.at(-1)?.descent ?? 0);
  const gaps = lines.slice(1).map((line, index) => gap(lines[index], line));
  const step = room.lineHeight ?? Math.max(leading, ...gaps);
  const height = ascent + step * Math.max(0, lines.length - 1) + descent;
  const size = Math.min(room.size, room.width / widest, room.height / height);
  return {
    text,
    lines,
    size,
    step: step * size,
    ascent: ascent * size,
    height: height * size,
    width: widest * size,
    rightToLeft: lines.some((line) => line.runs.some((run) => run.rightToLeft)),
  };
}

function gap(above: LaidLine | undefined, below: LaidLine): number {
  return (above?.descent ?? 0) + below.ascent + lineClearance;
}
