import { Problem } from "../../errors.js";
import { type Line, type Paragraph, paragraphs, type TextStyle, wordSpace } from "./text-lines.js";

/** The room that a text has, in points. */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** The size it has when it fits on its lines as they are. */
  readonly size: number;
  /** It shrinks to this size before it wraps; only with `maxLines` lines does it become smaller. */
  readonly minSize: number;
  readonly maxLines: number;
  /** Distance of baselines, in sizes; exactly so, however tall the script. */
  readonly lineHeight?: number;
  /** What the text is, for saying that nobody could read it; without it, it is set as small as need be. */
  readonly named?: string;
}

/** A text in its final size. Lengths are in points; the baselines are `step` apart. */
export interface TextBlock {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly size: number;
  readonly step: number;
  /** From the top of the block to its first baseline. */
  readonly ascent: number;
  readonly height: number;
  readonly width: number;
  /** Whether any of it runs from right to left. */
  readonly rightToLeft: boolean;
}

// What Latin needs, so that a line keeps its place whether or not it has descenders.
const nominalAscent = 0.66;
const nominalDescent = 0.24;
const leading = 1.14;
const lineClearance = 0.1;

/** In points: less is a grey line on paper. */
const leastLegible = 5;
/** A text that shrinks below this share of its size has words that are broken instead. */
const leastUnbroken = 0.3;
/** Lines of a text whose words are broken. */
const mostBrokenLines = 12;

/**
 * Sets a text as large as its room allows: at `size` if it fits, then smaller, then on more lines, balanced in length; then with
 * words broken that are too long. It never leaves the room, however long it is.
 * @throws Problem `failed-precondition` when it has a name and would be too small to be read
 */
export function fitText(text: string, style: TextStyle, room: Room): TextBlock {
  const parts = paragraphs(text, style);
  const whole = setLargest(text, parts, room);
  const least = Math.min(room.size, Math.max(leastLegible, room.size * leastUnbroken));
  if (whole.size >= least) return whole;
  const cut = parts.map((part) => part.cut(room.width / least));
  const broken = setLargest(text, cut, { ...room, minSize: least, maxLines: mostBrokenLines });
  const best = broken.size > whole.size ? broken : whole;
  if (room.named === undefined || best.size >= Math.min(room.size, leastLegible)) return best;
  throw new Problem(
    "failed-precondition",
    `The text of ${room.named} would be printed in ${best.size.toFixed(1)} points, ${leastLegible} are the least that can be read: ` +
      "give it more room in the options, or fewer characters.",
  );
}

/** The first number of lines with which the text has its least size, else that with which it is largest. */
function setLargest(text: string, parts: readonly Paragraph[], room: Room): TextBlock {
  const most = Math.max(parts.length, room.maxLines);
  let best: TextBlock | undefined;
  for (let count = parts.length; count <= most; count++) {
    const block = setLines(text, breakLines(parts, count), room);
    if (!best || block.size > best.size) best = block;
    if (best.size >= room.minSize) break;
  }
  return best ?? setLines(text, [], room);
}

function setLines(text: string, lines: readonly Line[], room: Room): TextBlock {
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

function gap(above: Line | undefined, below: Line): number {
  return (above?.descent ?? 0) + below.ascent + lineClearance;
}

/** Breaks paragraphs into at most `count` lines, the longest of which is as short as can be. */
function breakLines(parts: readonly Paragraph[], count: number): Line[] {
  if (count === parts.length) return parts.map((part) => part.line());
  const widths = parts.flatMap((part) => part.pieces.map((piece) => piece.width));
  let low = Math.max(0, ...widths);
  let high = parts.reduce((sum, part) => sum + part.pieces.length * wordSpace, 0) + sum(widths);
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (sum(parts.map((part) => breaks(part, middle).length)) <= count) high = middle;
    else low = middle;
  }
  return parts.flatMap((part) => {
    const ends = breaks(part, high);
    return ends.map((end, index) => part.line(ends[index - 1] ?? 0, end));
  });
}

/** First fit: the ends of the lines of a paragraph, as numbers of pieces. */
function breaks(part: Paragraph, width: number): number[] {
  const ends: number[] = [];
  let used = 0;
  part.pieces.forEach((piece, index) => {
    const before = part.pieces[index - 1];
    const joined = used + (before?.spaced ? wordSpace : 0) + piece.width;
    if (index > 0 && joined > width) {
      ends.push(index);
      used = piece.width;
    } else {
      used = index === 0 ? piece.width : joined;
    }
  });
  ends.push(part.pieces.length);
  return ends;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
