import { invalid } from "#foundation/errors.js";
import { checkGlyphs } from "./glyph-composition.js";
import { broken, type FontTables, fontTableOf, readTables } from "./sfnt.js";
import { tryFont } from "./try-font.js";

const required = ["OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name", "post"];

/** Tables of fonts that can't be embedded in a PDF unchanged. The first one found is reported. */
const unsupported: readonly (readonly [tag: string, what: string, remedy: string])[] = [
  ["fvar", "a variable font", "Upload a static font, such as the Regular or the Bold of the same family."],
  ["CFF2", "a variable font", "Upload a static font, such as the Regular or the Bold of the same family."],
  ["COLR", "a colour font", "Upload a font in one colour."],
  ["SVG ", "a colour font", "Upload a font in one colour."],
  ["sbix", "a bitmap font", "Upload a font with outlines."],
  ["CBDT", "a bitmap font", "Upload a font with outlines."],
];

/** Bits of OS/2 fsType (OpenType specification, "OS/2"). */
const embedding = { usage: 0x000f, restricted: 0x0002, noSubsetting: 0x0100, bitmapsOnly: 0x0200 } as const;

/**
 * Checks that a font is a static TrueType or OpenType font whose licence and outlines allow embedding. The cheap checks
 * come first, so that fontkit opens only plausible fonts.
 * @throws Problem `invalid`
 */
export function inspectFont(bytes: Buffer): void {
  const tables = readTables(bytes);
  checkSupported(tables);
  checkEmbedding(fontTableOf(tables, "OS/2").readUInt16BE(8));
  const numGlyphs = checkMetrics(tables);
  checkCharacters(fontTableOf(tables, "cmap"));
  const isTrueType = !tables.has("CFF ");
  if (isTrueType) checkGlyphs(tables, numGlyphs, fontTableOf(tables, "head").readInt16BE(50) === 1);
  tryFont(bytes, isTrueType ? 0 : numGlyphs);
}

function checkSupported(tables: FontTables): void {
  for (const [tag, what, remedy] of unsupported) {
    if (tables.has(tag)) throw invalid(`The font is ${what}, which can't be used. ${remedy}`);
  }
  if (!tables.has("CFF ") && !tables.has("glyf")) {
    throw invalid("The font has no outlines. Upload a font with outlines.");
  }
  if (tables.has("CFF ") && tables.has("glyf")) throw broken("it has outlines of two kinds");
  for (const tag of required) fontTableOf(tables, tag);
}

function checkEmbedding(fsType: number): void {
  if ((fsType & embedding.usage) === embedding.restricted) {
    throw invalid(
      "The licence of the font forbids embedding it in documents (fsType: restricted). Upload one that allows it.",
    );
  }
  if (fsType & (embedding.noSubsetting | embedding.bitmapsOnly)) {
    throw invalid(
      "The licence of the font forbids embedding parts of its outlines (fsType: no subsetting, or bitmaps only). " +
        "Upload one that allows it.",
    );
  }
}

/** Checks that the tables agree with each other. @returns the number of glyphs */
function checkMetrics(tables: FontTables): number {
  const head = fontTableOf(tables, "head");
  const unitsPerEm = head.readUInt16BE(18);
  if (head.readUInt32BE(12) !== 0x5f0f3cf5) throw broken('its table "head" has no magic number');
  if (unitsPerEm < 16 || unitsPerEm > 16_384) throw broken(`it has ${unitsPerEm} units per em`);
  const numGlyphs = fontTableOf(tables, "maxp").readUInt16BE(4);
  const metrics = fontTableOf(tables, "hhea").readUInt16BE(34);
  if (numGlyphs === 0 || metrics === 0 || metrics > numGlyphs) {
    throw broken(`it has ${numGlyphs} glyphs and ${metrics} widths`);
  }
  if (fontTableOf(tables, "hmtx").length < 4 * metrics + 2 * (numGlyphs - metrics)) {
    throw broken("it lacks the widths of some glyphs");
  }
  return numGlyphs;
}

/**
 * Checks the formats of the font's characters. In formats 12 and 13, twelve bytes can declare a group of four billion
 * characters.
 */
function checkCharacters(cmap: Buffer): void {
  const count = cmap.readUInt16BE(2);
  const offsets = new Set(Array.from({ length: count }, (_, i) => cmap.readUInt32BE(8 + 8 * i)));
  for (const offset of offsets) {
    const format = cmap.readUInt16BE(offset);
    if (format === 12 || format === 13) checkGroups(cmap.subarray(offset));
    else if (![0, 2, 4, 6, 14].includes(format))
      throw broken(`its characters are in the unknown format ${format}`);
  }
}

function checkGroups(subtable: Buffer): void {
  const count = subtable.readUInt32BE(12);
  if (16 + 12 * count > subtable.length) throw broken("its list of characters is cut off");
  let free = 0;
  for (let at = 16; at < 16 + 12 * count; at += 12) {
    const start = subtable.readUInt32BE(at);
    const end = subtable.readUInt32BE(at + 4);
    if (start < free || end < start || end > 0x10ffff) throw broken("its list of characters is out of order");
    free = end + 1;
  }
}
