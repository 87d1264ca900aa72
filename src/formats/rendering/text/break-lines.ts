import { breakCost, isShort, unspacedBreakCost } from "./line-ends.js";
import { type LaidLine, type Paragraph, type Piece, wordSpace } from "./text-lines.js";

/** Maximum widths of lines, in em. */
export interface LineWidths {
  /** Lines up to this width don't make the text smaller. */
  readonly free: number;
  /** Wider lines would make the text too small. */
  readonly most: number;
}

/** Cost of a line that consists of a single short word, compared with `breakCost`. */
const lonelyCost = 0.8;
/** Multiplied by the share by which a text shrinks for the sake of its line ends. */
const shrinkCost = 3;

/** Breaks paragraphs into at most `count` lines, so that the longest line is as short as possible. */
export function breakLines(parts: readonly Paragraph[], count: number): LaidLine[] {
  if (count === parts.length) return parts.map((part) => part.line());
  return balanced(parts, count).lines();
}

/**
 * Breaks paragraphs into at most `count` lines that end between phrases where possible, and are otherwise of similar
 * length.
 * @param widthsFor returns the limits, based on the minimum width of the longest line
 */
export function breakPhrases(
  parts: readonly Paragraph[],
  count: number,
  widthsFor: (narrowest: number) => LineWidths,
): LaidLine[] {
  if (count === parts.length) return parts.map((part) => part.line());
  const { width, ends, lines } = balanced(parts, count);
  const { free, most } = widthsFor(width);
  const among = ends.flat().length;
  if (among === parts.length || !Number.isFinite(free)) return lines();
  const unshrunk = Math.max(width, free);
  const limits = [...new Set([unshrunk, (unshrunk + most) / 2, Math.max(unshrunk, most)])];
  const words = parts.flatMap(({ pieces }, part) =>
    pieces.map((piece, index) => ({ ...piece, part, index })),
  );
  const choices = limits.flatMap((limit) => {
    const broken = cheapest(words, among, limit + 1e-9);
    if (!broken) return [];
    const shrinks = 1 - unshrunk / Math.max(unshrunk, broken.widest);
    return [{ ...broken, cost: broken.cost + shrinkCost * shrinks }];
  });
  const [first] = choices;
  if (!first) return lines();
  const { starts } = choices.reduce((best, each) => (each.cost < best.cost ? each : best), first);
  return starts.flatMap((start, index) => {
    const [from, last] = [words[start], words[(starts[index + 1] ?? words.length) - 1]];
    const line = from && last && parts[from.part]?.line(from.index, last.index + 1);
    return line ? [line] : [];
  });
}

interface Word extends Piece {
  /** Number of the paragraph. */
  readonly part: number;
  /** Number of the word in its paragraph. */
  readonly index: number;
}

interface Broken {
  /** Numbers of the words that begin lines. */
  readonly starts: readonly number[];
  readonly cost: number;
  readonly widest: number;
}

/**
 * Finds the line breaks with the lowest cost by dynamic programming.
 * @returns undefined if the words don't fit in `count` lines of this width
 */
function cheapest(words: readonly Word[], count: number, width: number): Broken | undefined {
  const mean =
    words.reduce((sum, word, index) => sum + spaceAfter(words[index - 1], word) + word.width, 0) / count;
  /** The best way to set the words before each word in the current number of lines. */
  let best: (Broken | undefined)[] = [{ starts: [], cost: 0, widest: 0 }];
  for (let line = 0; line < count; line++) {
    const next: (Broken | undefined)[] = [];
    best.forEach((before, start) => {
      if (!before || start === words.length) return;
      const beginning = before.cost + costOfBreak(words[start - 1], words[start]);
      let used = 0;
      for (let end = start; end < words.length; end++) {
        const word = words[end] as Word;
        if (word.part !== words[start]?.part) break;
        used += end === start ? word.width : spaceAfter(words[end - 1], word) + word.width;
        if (used > width) break;
        const isLonely = end === start && isShort(word.text) && !isAlone(words, end);
        const cost = beginning + ((used - mean) / mean) ** 2 + (isLonely ? lonelyCost : 0);
        if (cost < (next[end + 1]?.cost ?? Number.POSITIVE_INFINITY))
          next[end + 1] = { starts: [...before.starts, start], cost, widest: Math.max(before.widest, used) };
      }
    });
    best = next;
  }
  return best[words.length];
}

function costOfBreak(before: Word | undefined, after: Word | undefined): number {
  if (!before || !after || before.part !== after.part) return 0;
  return before.spaced ? breakCost(before.text, after.text) : unspacedBreakCost;
}

/** Returns whether a word is a paragraph. */
function isAlone(words: readonly Word[], at: number): boolean {
  const part = words[at]?.part;
  return words[at - 1]?.part !== part && words[at + 1]?.part !== part;
}

function spaceAfter(word: Word | undefined, next: Word): number {
  return word?.spaced && word.part === next.part ? wordSpace : 0;
}

function balanced(parts: readonly Paragraph[], count: number) {
  const widths = parts.flatMap((part) => part.pieces.map((piece) => piece.width));
  let low = Math.max(0, ...widths);
  let high = parts.reduce((sum, part) => sum + part.pieces.length * wordSpace, 0) + sumOf(widths);
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (sumOf(parts.map((part) => breaks(part, middle).length)) <= count) high = middle;
    else low = middle;
  }
  const ends = parts.map((part) => breaks(part, high));
  return {
    /** Width of the longest line. */
    width: high,
    ends,
    lines: () =>
      parts.flatMap((part, index) => {
        const own = ends[index] ?? [];
        return own.map((end, line) => part.line(own[line - 1] ?? 0, end));
      }),
  };
}

/**
 * Breaks a paragraph into lines by first fit.
 * @returns the ends of the lines, as numbers of pieces
 */
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

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
