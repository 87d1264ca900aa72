import type { Glyph } from "./font.js";
import type { Face, FontChain } from "./fonts.js";
import { type EmbeddedFont, embedFont } from "./pdf/embedded-font.js";

const embedded = new WeakMap<Face, EmbeddedFont>();

// Latin-1, Latin Extended-A, Romanian, and the punctuation of European names and dates.
const characters = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0xac),
  ...range(0xae, 0x17f),
  ...[0x218, 0x219, 0x21a, 0x21b, 0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2026],
];
const ligatures = "ff fi fl ffi ffl fj ffj tt ft Th Qu";

/** Of the first font of each chain, a subset with the glyphs of European names, dates and identifiers. */
export function commonFonts(chains: readonly FontChain[]): Map<Face, EmbeddedFont> {
  const faces = new Set(chains.flatMap((chain) => chain.slice(0, 1)));
  return new Map([...faces].map((face) => [face, commonFont(face)]));
}

function commonFont(face: Face): EmbeddedFont {
  const font = embedded.get(face) ?? embedFont(face.font, commonGlyphs(face));
  embedded.set(face, font);
  return font;
}

function commonGlyphs({ font }: Face): Glyph[] {
  const single = characters
    .filter((codePoint) => font.hasGlyphFor(codePoint))
    .map((codePoint) => font.glyphFor(codePoint));
  return [...single, ...font.layout(ligatures).glyphs];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
