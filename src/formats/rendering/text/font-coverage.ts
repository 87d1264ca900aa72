import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { type Face, type FontChain, fallbackChains } from "./fonts.js";

/** Indivisible text: a base character with its marks, or a joined sequence. */
interface GraphemeCluster {
  readonly text: string;
  /** Offset in the text. */
  readonly start: number;
  readonly face: Face;
}

let graphemes: Intl.Segmenter | undefined; // takes 10 ms to create and is needed only for setting text
const invisible = /\p{Default_Ignorable_Code_Point}/u;
const control = /\p{Cc}/u;
const digit = /^[0-9]$/;
const opening = /^\p{Ps}$/u;
const closing = /^\p{Pe}$/u;
const shared = /^[\p{Script=Common}\p{Script=Inherited}]+$/u;
const pictograph = /\p{Emoji_Presentation}|\u{FE0F}/u;
const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/gu;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const ascii = /^[\x20-\x7E\r\n]*$/;
const asciiLine = /^(?: ?[\x21-\x7E])* ?$/;
const coverage = createBoundedCache<boolean>(5000);

export type HasCharacter = (codePoint: number) => boolean;

/**
 * Returns the characters of a text that no font has, each once.
 * @param own the institution's fonts in a design, tried after the built-in fonts
 */
export function uncovered(text: string, own: readonly HasCharacter[] = []): string[] {
  if (ascii.test(text)) return [];
  const isPrintable = (character: string) =>
    builtInPrints(character) || own.some((has) => allIn(has, character));
  const missing = new Set<string>();
  for (const character of prepareText(text).replaceAll("\n", "")) {
    for (const part of isPrintable(character) ? [] : character.normalize("NFD")) {
      if (!isPrintable(part)) missing.add(character);
    }
  }
  return [...missing];
}

/** Composes characters (NFC), and replaces every kind of space except line breaks with a plain space. */
export function prepareText(text: string): string {
  if (asciiLine.test(text)) return text;
  return text
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+/g, " ");
}

/**
 * Assigns to each cluster of a prepared line the first font in the chain that has all its characters. To keep words
 * together in a run, spaces and punctuation use the font of the preceding text, or of the first letter at the start of
 * a line. Brackets use the font of the enclosed text. The digits 0 to 9 always use the same font.
 * @param language BCP 47 tag that selects the forms of Chinese characters
 */
export function assignFaces(text: string, fonts: FontChain, language: string): GraphemeCluster[] {
  const chain = orderEastAsian(fonts, text, language);
  graphemes ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  const segments = [...graphemes.segment(text)];
  const letters = segments.find(({ segment }) => !shared.test(segment))?.segment;
  let current = letters === undefined ? undefined : chain.find((face) => covers(face, letters));
  const open: (Face | undefined)[] = [];

  return segments.flatMap(({ segment, index }, position) => {
    const follows = closing.test(segment)
      ? (open.pop() ?? current)
      : opening.test(segment)
        ? (faceWithin(segments, position, chain) ?? current)
        : current;
    const followable = shared.test(segment) && !digit.test(segment) && !pictograph.test(segment);
    const isSameFont = followable && follows && covers(follows, segment);
    const face = isSameFont ? follows : chain.find((candidate) => covers(candidate, segment));
    if (!face) return assignEachCharacter(segment, index, chain);
    if (opening.test(segment)) open.push(face);
    if (!pictograph.test(segment)) current = face;
    return [{ text: segment, start: index, face }];
  });
}

/** Returns the font of the first letter or digit after an opening bracket, so that the bracket has the same size. */
function faceWithin(
  segments: readonly Intl.SegmentData[],
  position: number,
  chain: FontChain,
): Face | undefined {
  for (let next = position + 1; next < segments.length; next++) {
    const { segment = "" } = segments[next] ?? {};
    if (closing.test(segment)) return undefined;
    if (!shared.test(segment) || digit.test(segment)) return chain.find((face) => covers(face, segment));
  }
  return undefined;
}

/**
 * Assigns fonts to each character of a cluster that no single font covers. Examples are composed characters whose parts
 * are in different fonts, and a base character with a mark from another script.
 */
function assignEachCharacter(segment: string, start: number, chain: FontChain): GraphemeCluster[] {
  return [...segment.normalize("NFD")].flatMap((text) => {
    const face = chain.find((candidate) => covers(candidate, text));
    return face ? [{ text, start, face }] : [];
  });
}

/**
 * Sorts a chain's Chinese, Japanese and Korean fonts. The font with most of the text's characters comes first, so that
 * a name uses a single font. The language's own font wins ties.
 */
function orderEastAsian(chain: FontChain, text: string, language: string): FontChain {
  const characters = text.match(eastAsian);
  if (!characters) return chain;
  const { language: tongue, script } = new Intl.Locale(language).maximize();
  const forms = kana.test(text) ? "ja-Jpan" : `${tongue}-${script}`;
  const rank = (face: Face) =>
    2 * characters.filter((character) => covers(face, character)).length + (face.forms === forms ? 1 : 0);
  const ranked = chain
    .filter((face) => face.forms !== undefined)
    .map((face) => ({ face, rank: rank(face) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ face }) => face);
  return chain.map((face) => (face.forms === undefined ? face : (ranked.shift() ?? face)));
}

function builtInPrints(character: string): boolean {
  return coverage(character, () => fallbackChains.regular.some((face) => covers(face, character)));
}

/** Returns whether a font has all visible characters of a text. */
export function covers(face: Face, text: string): boolean {
  return allIn(hasCharacterOf(face), text);
}

export function hasCharacterOf({ font }: Face): HasCharacter {
  return (codePoint) => font.hasGlyphFor(codePoint);
}

function allIn(has: HasCharacter, text: string): boolean {
  for (const character of text) {
    if (control.test(character)) return false;
    if (invisible.test(character)) continue;
    if (!has(character.codePointAt(0) ?? 0)) return false;
  }
  return true;
}
