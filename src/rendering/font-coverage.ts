import { type Face, type FontStyle, fallbackChains } from "./fonts.js";

/** A piece of text that must not be torn apart: a base with its marks, or a joined sequence. */
export interface Cluster {
  readonly text: string;
  /** Offset in the text it was cut from. */
  readonly start: number;
  readonly face: Face;
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });
const invisible = /\p{Default_Ignorable_Code_Point}/u;
const control = /\p{Cc}/u;
const digit = /^[0-9]$/;
const opening = /^\p{Ps}$/u;
const closing = /^\p{Pe}$/u;
const shared = /^[\p{Script=Common}\p{Script=Inherited}]+$/u;

/** The characters of a text that no font has, each once. Whoever issues a credential asks this first. */
export function uncovered(text: string): string[] {
  const missing = new Set<string>();
  for (const character of prepareText(text).replaceAll("\n", "")) {
    for (const part of printable(character) ? [] : character.normalize("NFD")) {
      if (!printable(part)) missing.add(character);
    }
  }
  return [...missing];
}

/** Composes characters and makes every kind of space but the line break one plain space. */
export function prepareText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+/g, " ");
}

/**
 * Gives each cluster of a prepared line the first font of the style's chain that has all of it. Spaces and punctuation
 * stay in the font before them (at the start of a line, in that of the first letter), so that words stay in one run;
 * brackets come in pairs, and 0 to 9 look alike wherever they stand.
 */
export function assignFaces(text: string, style: FontStyle): Cluster[] {
  const chain = fallbackChains[style];
  const segments = [...graphemes.segment(text)];
  const letters = segments.find(({ segment }) => !shared.test(segment))?.segment;
  let current = letters === undefined ? undefined : chain.find((face) => covers(face, letters));
  const open: (Face | undefined)[] = [];

  return segments.flatMap(({ segment, index }) => {
    const follows = closing.test(segment) ? (open.pop() ?? current) : current;
    const kept = shared.test(segment) && !digit.test(segment) && follows && covers(follows, segment);
    const face = kept ? follows : chain.find((candidate) => covers(candidate, segment));
    if (!face) return assignEachCharacter(segment, index, chain);
    if (opening.test(segment)) open.push(face);
    current = face;
    return [{ text: segment, start: index, face }];
  });
}

/** For a composed character that fonts have only in parts, and for a base and a mark of different scripts. */
function assignEachCharacter(segment: string, start: number, chain: readonly Face[]): Cluster[] {
  return [...segment.normalize("NFD")].flatMap((text) => {
    const face = chain.find((candidate) => covers(candidate, text));
    return face ? [{ text, start, face }] : [];
  });
}

function printable(character: string): boolean {
  return fallbackChains.regular.some((face) => covers(face, character));
}

function covers(face: Face, text: string): boolean {
  for (const character of text) {
    if (control.test(character)) return false;
    if (invisible.test(character)) continue;
    if (!face.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) return false;
  }
  return true;
}
