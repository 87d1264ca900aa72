import { breakCost, isShort, unspacedBreakCost } from "./line-ends.js";
import { type LaidLine, type Paragraph, wordSpace } from "./text-lines.js";

/** Maximum widths of lines, in em. */
export interface LineWidths {
  /** Lines up to this width don't make the text smaller. */
  readonly free: number;
  /** Wider lines would make the text too small. */
  readonly most: number;
}

/** Cost of a line that consists of a single short word, compared with `breakCost`. */
const lonelyCost = 0.8;
/** Cost of shrinking a text to improve its line ends, multiplied by the share by which it shrinks. */
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
  const words = parts.flatMap(wordsOf);
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

interface Word {
  readonly width: number;
  /** Number of the paragraph. */
  readonly part: number;
  /** Number of the word in its paragraph. */
  readonly index: number;
  /** Width of the space before the word. */
  readonly space: number;
  /** Cost of a line break before the word. */
  readonly breakCost: number;
  /** Cost of a line that consists of the word. */
  readonly aloneCost: number;
}

function wordsOf({ pieces }: Paragraph, part: number): Word[] {
  return pieces.map(({ width, text }, index) => {
    const before = pieces[index - 1];
    return {
      width,
      part,
      index,
      space: before?.spaced ? wordSpace : 0,
      breakCost: !before ? 0 : before.spaced ? breakCost(before.text, text) : unspacedBreakCost,
      aloneCost: pieces.length > 1 && isShort(text) ? lonelyCost : 0,
    };
  });
}

/** The best way to set all words before a given word in a given number of lines. */
interface Step {
  readonly cost: number;
  readonly widest: number;
  /** Number of the word that begins the last line. */
  readonly start: number;
  readonly previous: Step | undefined;
}

/**
 * Finds the line breaks with the lowest cost by dynamic programming.
 * @returns the numbers of the words that begin lines; undefined if the words don't fit in `count` lines of this width
 */
function cheapest(words: readonly Word[], count: number, width: number) {
  const mean = words.reduce((sum, word) => sum + word.space + word.width, 0) / count;
  let steps: (Step | undefined)[] = [{ cost: 0, widest: 0, start: 0, previous: undefined }];
  for (let line = 0; line < count; line++) {
    const next: (Step | undefined)[] = [];
    for (let start = 0; start < words.length; start++) {
      const [previous, first] = [steps[start], words[start]];
      if (!previous || !first) continue;
      let used = -first.space;
      for (let end = start; end < words.length; end++) {
        const word = words[end] as Word;
        used += word.space + word.width;
        if (word.part !== first.part || used > width) break;
        const alone = end === start ? word.aloneCost : 0;
        const cost = previous.cost + first.breakCost + ((used - mean) / mean) ** 2 + alone;
        if (cost < (next[end + 1]?.cost ?? Number.POSITIVE_INFINITY))
          next[end + 1] = { cost, widest: Math.max(previous.widest, used), start, previous };
      }
    }
    steps = next;
  }
  const last = steps[words.length];
  return last && { cost: last.cost, widest: last.widest, starts: startsOf(last) };
}

function startsOf(last: Step): number[] {
  const starts: number[] = [];
  for (let step = last; step.previous; step = step.previous) starts.unshift(step.start);
  return starts;
}

function balanced(parts: readonly Paragraph[], count: number) {
  const widths = parts.flatMap((part) => part.pieces.map((piece) => piece.width));
  let low = Math.max(0, ...widths);
  let high = parts.reduce((spaces, part) => spaces + part.pieces.length * wordSpace, 0) + sum(widths);
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2;
    if (sum(parts.map((part) => breaks(part, middle).length)) <= count) high = middle;
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

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
