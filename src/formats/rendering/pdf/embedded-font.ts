import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Font, Glyph } from "../text/font.js";
import { hex, PdfObject } from "./pdf-object.js";

/** A subset of a font, as an object that many files can share. */
export interface EmbeddedFont {
  readonly object: PdfObject;
  /** Returns the code of a glyph in four hex digits; undefined if the subset lacks it for these characters. */
  codeOf(glyph: Glyph): string | undefined;
}

const symbolic = 1 << 2;
const italic = 1 << 6;

/** Embeds glyphs of a font, and their components, as a composite font (ISO 32000, 9.7). */
export function embedFont(font: Font, glyphs: readonly Glyph[]): EmbeddedFont {
  const distinct = [...distinctGlyphs(glyphs).values()].sort((a, b) => a.id - b.id);
  const { program: file, unitsPerEm } = font;
  const subset = file.createSubset();
  const entries = distinct.map((glyph) => {
    // A glyph that represents two different texts must be in the subset twice, but includeGlyph would add it once.
    const number = subset.glyphs.includes(glyph.id)
      ? subset.glyphs.push(glyph.id) - 1
      : subset.includeGlyph(glyph.id);
    return { glyph, number, code: number.toString(16).padStart(4, "0") };
  });
  const codes = new Map(entries.map(({ glyph, code }) => [keyOf(glyph), code]));
  const codesOfSeen = new WeakMap<Glyph, string>();
  const codeOf = (glyph: Glyph) => {
    const seen = codesOfSeen.get(glyph);
    if (seen !== undefined) return seen;
    const code = codes.get(keyOf(glyph));
    if (code !== undefined) codesOfSeen.set(glyph, code);
    return code;
  };
  const isCff = "CFF " in file.directory.tables;
  const name = `/${tagOf(distinct)}+${file.postscriptName?.replace(/[^\w-]/g, "") || "Font"}`;
  const program = Buffer.from(subset.encode());
  const perMille = 1000 / unitsPerEm;
  const { bbox } = file;

  const descriptor = new PdfObject({
    Type: "/FontDescriptor",
    FontName: name,
    Flags: symbolic | (file.italicAngle ? italic : 0),
    FontBBox: [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((value) => value * perMille),
    ItalicAngle: file.italicAngle,
    Ascent: file.ascent * perMille,
    Descent: file.descent * perMille,
    CapHeight: (file.capHeight || file.ascent) * perMille,
    StemV: 80,
    ...(isCff
      ? { FontFile3: deflated(program, { Subtype: "/CIDFontType0C" }) }
      : { FontFile2: deflated(program, { Length1: program.length }) }),
  });
  const descendant = new PdfObject({
    Type: "/Font",
    Subtype: isCff ? "/CIDFontType0" : "/CIDFontType2",
    BaseFont: name,
    CIDSystemInfo: { Registry: "(Adobe)", Ordering: "(Identity)", Supplement: 0 },
    FontDescriptor: descriptor,
    ...(isCff ? {} : { CIDToGIDMap: "/Identity" }),
    DW: 0,
    W: entries.flatMap(({ glyph, number }) => [number, [glyph.advanceWidth * perMille]]),
  });
  const object = new PdfObject({
    Type: "/Font",
    Subtype: "/Type0",
    BaseFont: name,
    Encoding: "/Identity-H",
    DescendantFonts: [descendant],
    ToUnicode: deflated(toUnicode(entries)),
  });
  return { object, codeOf };
}

/** Returns the glyphs that differ in shape or in the characters they represent. */
export function distinctGlyphs(glyphs: Iterable<Glyph>): Map<string, Glyph> {
  return new Map([...glyphs].map((glyph) => [keyOf(glyph), glyph]));
}

function keyOf(glyph: Glyph): string {
  return `${glyph.id}:${glyph.codePoints}`;
}

/** Returns six letters that identify this subset. */
function tagOf(glyphs: readonly Glyph[]): string {
  const digest = createHash("sha256").update(glyphs.map(keyOf).join(";")).digest();
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join("");
}

function toUnicode(entries: readonly { glyph: Glyph; code: string }[]): Buffer {
  const lines = entries
    .filter(({ glyph }) => glyph.codePoints.length > 0)
    .map(({ glyph, code }) => {
      const written = Buffer.from(String.fromCodePoint(...glyph.codePoints), "utf16le").swap16();
      return `<${code}> ${hex(written)}`;
    });
  const blocks: string[] = [];
  for (let start = 0; start < lines.length; start += 100) {
    const block = lines.slice(start, start + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join("\n")}\nendbfchar`);
  }
  return Buffer.from(`/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`);
}

export function deflated(data: Uint8Array, dictionary: Record<string, string | number> = {}): PdfObject {
  return new PdfObject({ ...dictionary, Filter: "/FlateDecode" }, deflateSync(data, { level: 9 }));
}
