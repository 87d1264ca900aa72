import bidiJs from "bidi-js";
import type { FontFeatures, Glyph, GlyphPosition } from "./font.js";
import { assignFaces, covers, prepareText } from "./font-coverage.js";
import type { Face, FontChain } from "./fonts.js";
import { plainLatin } from "./plain-latin.js";
import { scriptOf } from "./script-of.js";

/** The Unicode Bidirectional Algorithm (UAX #9). */
// The package's types declare a default export, but in Node.js the module is a CommonJS function.
const bidi = (bidiJs as unknown as typeof bidiJs.default)();

/** How a text is set, except for its size. */
export interface TextStyle {
  readonly fonts: FontChain;
  /** BCP 47 tag of the document. */
  readonly language: string;
  /** Space added between letters, in em. Added only where the script allows it. */
  readonly spacing?: number;
  readonly features?: FontFeatures;
  /** True if lines end between phrases where possible, and not after short words. */
  readonly keepsPhrases?: boolean;
}

/** Characters of one font and one direction. Lengths are in em. */
export interface TextRun {
  readonly face: Face;
  readonly rightToLeft: boolean;
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly GlyphPosition[];
  /** Space added to the advance of each glyph whose advance isn't 0. */
  readonly spacing: number;
  readonly width: number;
}

/** A line with its runs from left to right. Lengths are in em. Ascent and descent are those of the ink. */
export interface LaidLine {
  readonly runs: readonly TextRun[];
  readonly width: number;
  readonly ascent: number;
  readonly descent: number;
}

/** A piece of a paragraph that can't be broken. The width is in em. */
interface Piece {
  readonly width: number;
  /** True if a space follows. */
  readonly spaced: boolean;
  readonly text: string;
}

export interface Paragraph {
  /** Measured at first use, because most texts fit without further line breaks. */
  readonly pieces: readonly Piece[];
  /** Returns the paragraph with breaks allowed between letters in words wider than `widest` (in em). */
  cut(widest: number): Paragraph;
  /** Returns a line with the pieces from `from` up to, but excluding, `to`. Default: all pieces */
  line(from?: number, to?: number): LaidLine;
}

interface Item {
  readonly text: string;
  readonly start: number;
  readonly face: Face;
  readonly level: number;
  /** Undefined for characters that several scripts share, and if the whole line is in the same script. */
  readonly script?: string | undefined;
}

const words = new Intl.Segmenter("und", { granularity: "word" });
const withoutSpaces =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
// Joiners and variation selectors are kept, because shaping needs them.
const unprinted = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** Width of the space between words, in em. */
export const wordSpace = 0.25;

/** Splits a text at line breaks, without blank lines. */
export function paragraphs(text: string, style: TextStyle): Paragraph[] {
  return prepareText(text)
    .split("\n")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => paragraph(part, style));
}

function paragraph(text: string, baseStyle: TextStyle, widest = Number.POSITIVE_INFINITY): Paragraph {
  const isUnwrapped = widest === Number.POSITIVE_INFINITY;
  const items = (isUnwrapped ? unbrokenWords(text, baseStyle) : undefined) ?? clusters(text, baseStyle);
  const style = withUnbrokenSmallCapitals(baseStyle, items);
  const words = unbreakableRanges(text);
  const lineOf = (start: number, end: number) =>
    line(
      items.filter((item) => item.start >= start && item.start < end),
      style,
    );
  const letters = ({ start, end }: Range) =>
    items
      .map((item) => item.start)
      .filter((each, index, all) => each >= start && each < end && each !== all[index - 1])
      .map((each, index, all) => ({ start: each, end: all[index + 1] ?? end }));
  const ranges = isUnwrapped
    ? words
    : words.flatMap((word) => (lineOf(word.start, word.end).width > widest ? letters(word) : [word]));
  let pieces: Piece[] | undefined;

  return {
    cut: (most) => paragraph(text, baseStyle, most),
    get pieces() {
      pieces ??= ranges.map(({ start, end }) => ({
        width: lineOf(start, end).width,
        spaced: text[end] === " ",
        text: text.slice(start, end),
      }));
      return pieces;
    },
    line: (from = 0, to = ranges.length) => lineOf(ranges[from]?.start ?? 0, ranges[to - 1]?.end ?? 0),
  };
}

/**
 * Disables small capitals if any letter has no small capital, because a word must not mix small capitals and ordinary
 * letters.
 */
function withUnbrokenSmallCapitals(style: TextStyle, items: readonly Item[]): TextStyle {
  const { features, language } = style;
  if (!features?.includes("small-capitals")) return style;
  const isUnwrapped = items.every(({ text, face }) =>
    [...text].every((letter) => face.font.hasSmallCapital(letter, language)),
  );
  return isUnwrapped ? style : { ...style, features: features.filter((tag) => tag !== "small-capitals") };
}

/** Fast path for most names. Returns the words of a text if the first font has all their characters. */
function unbrokenWords(text: string, { fonts: [face] }: TextStyle): Item[] | undefined {
  if (!face || !plainLatin.test(text) || !covers(face, text)) return undefined;
  return Array.from(text.matchAll(/ +|[^ ]+/g), ({ 0: word, index }) => ({
    text: word,
    start: index,
    face,
    level: 0,
  }));
}

function clusters(text: string, style: TextStyle): Item[] {
  const { levels } = bidi.getEmbeddingLevels(text, "auto");
  return assignFaces(text, style.fonts, style.language).map((cluster) => ({
    ...cluster,
    script: scriptOf(cluster.text),
    level: levels[cluster.start] ?? 0,
  }));
}

/** Offsets within a paragraph. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the ranges of words. In scripts without spaces, words are divided further at their break opportunities. */
function unbreakableRanges(text: string): Range[] {
  const ranges: Range[] = [];
  for (const { 0: word, index } of text.matchAll(/[^ ]+/g)) {
    let start = index;
    for (const { index: offset } of withoutSpaces.test(word) ? words.segment(word) : []) {
      const position = index + offset;
      const breakable =
        withoutSpaces.test(text.charAt(position - 1)) && withoutSpaces.test(text.charAt(position));
      if (offset === 0 || !breakable) continue;
      ranges.push({ start, end: position });
      start = position;
    }
    ranges.push({ start, end: index + word.length });
  }
  return ranges;
}

function line(items: readonly Item[], style: TextStyle): LaidLine {
  const placed = leftToRight(runsOf(items)).map((run) => measure(run, style));
  const last = placed.at(-1)?.run;
  return {
    runs: placed.map(({ run }) => run),
    width: placed.reduce((sum, { run }) => sum + run.width, 0) - (last?.spacing ?? 0),
    ascent: Math.max(0, ...placed.map(({ ascent }) => ascent)),
    descent: Math.max(0, ...placed.map(({ descent }) => descent)),
  };
}

interface LogicalRun {
  text: string;
  face: Face;
  level: number;
  /** The shaper handles one script at a time. */
  script: string | undefined;
}

function runsOf(items: readonly Item[]): LogicalRun[] {
  const runs: LogicalRun[] = [];
  for (const item of items) {
    const text = item.text.replace(unprinted, "");
    const last = runs.at(-1);
    const { script } = item;
    const isOneScript = last?.script === undefined || script === undefined || last.script === script;
    if (last && isOneScript && last.face === item.face && last.level === item.level) {
      last.text += text;
      last.script ??= script;
    } else {
      runs.push({ text, face: item.face, level: item.level, script });
    }
  }
  return runs.filter((run) => run.text !== "");
}

/** Applies rule L2 (UAX #9) to runs. The shaper reverses the order within a run. */
function leftToRight(logical: readonly LogicalRun[]): LogicalRun[] {
  const runs = [...logical];
  const highest = Math.max(0, ...runs.map((run) => run.level));
  for (let level = highest; level > 0; level--) {
    let start = 0;
    while (start < runs.length) {
      if ((runs[start]?.level ?? 0) < level) {
        start++;
        continue;
      }
      let end = start;
      while (end < runs.length && (runs[end]?.level ?? 0) >= level) end++;
      runs.splice(start, end - start, ...runs.slice(start, end).reverse());
      start = end;
    }
  }
  return runs;
}

function measure(logical: LogicalRun, style: TextStyle): { run: TextRun; ascent: number; descent: number } {
  const { face, text } = logical;
  const rightToLeft = logical.level % 2 === 1;
  const spacing = face.spaceable && !rightToLeft ? (style.spacing ?? 0) : 0;
  const features = [
    ...(rightToLeft ? ["rtl"] : []),
    ...(style.features ?? []),
    ...(spacing === 0 ? [] : ["-liga", "-clig"]),
  ];
  const { glyphs, positions, advanceWidth } = face.font.layout(text, features, style.language);
  const em = face.scale / face.font.unitsPerEm;

  let ascent = 0;
  let descent = 0;
  let spaces = 0;
  glyphs.forEach((glyph, index) => {
    const rise = positions[index]?.yOffset ?? 0;
    if (positions[index]?.xAdvance !== 0) spaces++;
    ascent = Math.max(ascent, (glyph.top + rise) * em);
    descent = Math.max(descent, -(glyph.bottom + rise) * em);
  });
  return {
    run: { face, rightToLeft, glyphs, positions, spacing, width: advanceWidth * em + spacing * spaces },
    ascent,
    descent,
  };
}
