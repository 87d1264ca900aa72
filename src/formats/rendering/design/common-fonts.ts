import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { type EmbeddedFont, embedFont } from "../pdf/embedded-font.js";
import type { FontFeatures, Glyph } from "../text/font.js";
import type { Face, FontChain } from "../text/fonts.js";

const embedded = new WeakMap<Face, (key: string, make: () => EmbeddedFont) => EmbeddedFont>();
/** BCP 47 tag for an undetermined language. */
const common = "und";

// Latin-1, Latin Extended-A, Romanian, and the punctuation of European names and dates.
const characters = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0xac),
  ...range(0xae, 0x17f),
  ...[0x218, 0x219, 0x21a, 0x21b, 0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2026],
];
const ligatures = ["ff", "fi", "fl", "ffi", "ffl", "fj", "ffj", "tt", "ft", "Th", "Qu"];

/**
 * Embeds a subset of each chain's first font, with the glyphs of European names, dates and identifiers.
 * @param language BCP 47 tag that selects the letter forms
 * @param withFeatures chains whose texts use these OpenType features; the subset includes the resulting glyphs
 */
export function commonFonts(
  chains: readonly FontChain[],
  language: string,
  withFeatures: readonly (readonly [FontChain, FontFeatures])[] = [],
): Map<Face, EmbeddedFont> {
  const faces = new Set(chains.flatMap((chain) => chain.slice(0, 1)));
  return new Map(
    [...faces].map((face) => {
      const features = withFeatures.flatMap(([chain, tags]) => (chain[0] === face ? tags : []));
      return [face, commonFont(face, language, [...new Set(features)])];
    }),
  );
}

function commonFont(face: Face, language: string, features: FontFeatures): EmbeddedFont {
  const cached = embedded.get(face) ?? createBoundedCache<EmbeddedFont>(50);
  embedded.set(face, cached);
  return cached(`${language} ${features}`, () => {
    const forms = language === common ? [] : formsOf(face, language);
    if (forms.length === 0 && language !== common) return commonFont(face, common, features);
    return embedFont(face.font, [...commonGlyphs(face), ...forms, ...featured(face, features, language)]);
  });
}

function featured({ font }: Face, features: FontFeatures, language: string): Glyph[] {
  const letters = characters
    .filter((each) => features.length > 0 && font.hasGlyphFor(each))
    .map((each) => String.fromCodePoint(each));
  return letters.flatMap((letter) => font.layout(letter, features, language).glyphs);
}

function commonGlyphs({ font }: Face): Glyph[] {
  const single = characters.filter((each) => font.hasGlyphFor(each)).map((each) => font.glyphFor(each));
  return [...single, ...ligatures.flatMap((text) => font.layout(text).glyphs)];
}

/** Returns the glyphs of letters and ligatures whose form in this language differs from the usual form. */
function formsOf({ font }: Face, language: string): Glyph[] {
  const letters = characters
    .filter((each) => font.hasGlyphFor(each))
    .map((each) => String.fromCodePoint(each));
  return [...letters, ...ligatures].flatMap((text) => {
    const usual = new Set(font.layout(text).glyphs.map(({ id }) => id));
    return font.layout(text, [], language).glyphs.filter(({ id }) => !usual.has(id));
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
