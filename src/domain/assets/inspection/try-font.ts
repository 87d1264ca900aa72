import * as fontkit from "fontkit";
import { embedFont } from "#formats/rendering/pdf/embedded-font.js";
import { type Font, openFont } from "#formats/rendering/text/font.js";
import { invalid } from "#foundation/errors.js";
import { broken } from "./sfnt.js";

/** Maximum number of characters to lay out. Only Chinese and similar fonts have more. */
const MAX_CHARACTERS = 2000;
const LINE_LENGTH = 40;
/** Maximum number of glyphs per character, on average over a line. In scripts with split vowels, it is up to 2. */
const MAX_GLYPHS_PER_CHARACTER = 8;
/**
 * Maximum number of drawing commands for a glyph. fontkit caches the glyphs that it has drawn, so the font is opened
 * again after every `GLYPHS_OPEN` glyphs.
 */
const MAX_COMMANDS = 50_000;
const GLYPHS_OPEN = 2000;
/** Number of characters in the subset that is embedded. */
const SUBSET_SIZE = 200;

/**
 * Uses the font as the rendering of a credential would: lays out text, and embeds a subset.
 * @param drawn number of glyphs whose outlines are drawn. A CFF outline is a program, and only running it shows whether
 * it ends
 * @throws Problem `invalid`, or any error of the libraries
 */
export function tryFont(bytes: Buffer, drawn: number): void {
  for (let first = 0; first < drawn; first += GLYPHS_OPEN) {
    drawGlyphs(fontkit.create(bytes), first, Math.min(first + GLYPHS_OPEN, drawn));
  }
  const font = openFont(bytes);
  const characters = font.characters().filter(isPrintable).slice(0, MAX_CHARACTERS);
  if (characters.length === 0) throw invalid("The font has no characters. Upload one that has letters.");
  for (let at = 0; at < characters.length; at += LINE_LENGTH)
    layOut(font, characters.slice(at, at + LINE_LENGTH));
  embedFont(font, font.layout(String.fromCodePoint(...characters.slice(0, SUBSET_SIZE))).glyphs);
}

function drawGlyphs(font: fontkit.Font, first: number, end: number): void {
  for (let id = first; id < end; id += 1) {
    const { commands } = font.getGlyph(id).path;
    if (commands.length > MAX_COMMANDS)
      throw broken(`its glyph ${id} has ${commands.length} strokes; at most ${MAX_COMMANDS} are accepted`);
  }
}

function layOut(font: Font, characters: readonly number[]): void {
  const { glyphs, advanceWidth } = font.layout(String.fromCodePoint(...characters));
  if (glyphs.length > MAX_GLYPHS_PER_CHARACTER * characters.length || !Number.isFinite(advanceWidth)) {
    throw broken(
      `it makes ${glyphs.length} glyphs of ${characters.length} characters; at most ${MAX_GLYPHS_PER_CHARACTER} per character are accepted`,
    );
  }
}

function isPrintable(codePoint: number): boolean {
  return codePoint > 0x20 && codePoint <= 0x10ffff && !/[\p{C}\p{Z}]/u.test(String.fromCodePoint(codePoint));
}
