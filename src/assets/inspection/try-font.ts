import * as fontkit from "fontkit";
import { invalid } from "../../errors.js";
import { embedFont } from "../../rendering/pdf/embedded-font.js";
import { type Font, openFont } from "../../rendering/text/font.js";
import { broken } from "./sfnt.js";

/** Characters laid out: all of most fonts; of those for Chinese, the first. */
const MAX_CHARACTERS = 2000;
const LINE = 40;
/** Glyphs that a character may become, on average over a line; a script with split vowels comes to 2. */
const MAX_GLYPHS_PER_CHARACTER = 8;
/** Of a glyph; fontkit keeps those drawn, so that a font is opened anew for the next ones. */
const MAX_COMMANDS = 50_000;
const GLYPHS_OPEN = 2000;
/** Characters of the subset that is embedded. */
const EMBEDDED = 200;

/**
 * Does with the font what a credential does: lays text out, and embeds a part of it.
 * @param drawn number of glyphs whose outlines are drawn: a CFF outline is a program, known to end only by running it
 * @throws Problem `invalid`, or whatever the libraries throw at a broken font
 */
export function tryFont(bytes: Buffer, drawn: number): void {
  for (let first = 0; first < drawn; first += GLYPHS_OPEN) {
    drawGlyphs(fontkit.create(bytes), first, Math.min(first + GLYPHS_OPEN, drawn));
  }
  const font = openFont(bytes);
  const characters = font.characters().filter(isPrintable).slice(0, MAX_CHARACTERS);
  if (characters.length === 0) throw invalid("The font has no characters. Upload one that has letters.");
  for (let at = 0; at < characters.length; at += LINE) layOut(font, characters.slice(at, at + LINE));
  embedFont(font, font.layout(String.fromCodePoint(...characters.slice(0, EMBEDDED))).glyphs);
}

function drawGlyphs(font: fontkit.Font, first: number, end: number): void {
  for (let id = first; id < end; id += 1) {
    const { commands } = font.getGlyph(id).path;
    if (commands.length > MAX_COMMANDS) throw broken(`its glyph ${id} has ${commands.length} strokes`);
  }
}

function layOut(font: Font, characters: readonly number[]): void {
  const { glyphs, advanceWidth } = font.layout(String.fromCodePoint(...characters));
  if (glyphs.length > MAX_GLYPHS_PER_CHARACTER * characters.length || !Number.isFinite(advanceWidth)) {
    throw broken(`it makes ${glyphs.length} glyphs of ${characters.length} characters`);
  }
}

/** Neither a control character nor a surrogate nor a noncharacter. */
function isPrintable(codePoint: number): boolean {
  return codePoint > 0x20 && codePoint <= 0x10ffff && !/[\p{C}\p{Z}]/u.test(String.fromCodePoint(codePoint));
}
