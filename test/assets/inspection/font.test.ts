import { describe } from "vitest";
import {
  armenian,
  charstring,
  cmap,
  composite,
  fontOf,
  longs,
  multiplyingGsub,
  openType,
  sfnt,
  tablesOf,
  triangle,
  trueType,
  words,
} from "./make-font.js";
import { accepts, refuses } from "./refusal.js";

const empty = Buffer.alloc(0);
const { call, end, line, move } = charstring;
const glyph = Buffer.concat([move, line, line, end]);

/** Returns the font with some tables changed or removed. */
function changed(change: (tables: Record<string, Buffer>) => void): Buffer {
  const tables = tablesOf(armenian);
  change(tables);
  return sfnt(tables);
}

const withTable = (tag: string) => changed((tables) => Object.assign(tables, { [tag]: longs(0) }));
const withEmbedding = (fsType: number) => changed((tables) => tables["OS/2"]?.writeUInt16BE(fsType, 8));

/** Returns the font with the offset of its first table changed. */
function moved(offset: number): Buffer {
  const bytes = Buffer.from(armenian);
  bytes.writeUInt32BE(offset, 20);
  return bytes;
}

describe("a font is accepted", () => {
  accepts("font", {
    Latin: fontOf("eb-garamond/400Regular/EBGaramond_400Regular.ttf"),
    Arabic: fontOf("amiri/400Regular/Amiri_400Regular.ttf"),
    Devanagari: fontOf("tiro-devanagari-hindi/400Regular/TiroDevanagariHindi_400Regular.ttf"),
    Armenian: armenian,
    "TrueType with composed glyphs": trueType([empty, triangle, composite(1, 1), composite(2, 1)]),
    "OpenType with CFF outlines": openType(
      [end, glyph, Buffer.concat([move, call(0), end])],
      [Buffer.concat([line, charstring.return])],
    ),
    "that may be embedded for editing": withEmbedding(8),
    "whose substitutions multiply a little": trueType([empty, triangle, triangle], {
      GSUB: multiplyingGsub(3, 1),
    }),
    "whose substitution makes more of what it replaces": trueType([empty, triangle], {
      GSUB: multiplyingGsub(2, 1, 0),
    }),
  });
});

describe("a font is refused", () => {
  refuses({
    "a variable font": {
      "that is variable": withTable("fvar"),
      "that is variable with CFF outlines": withTable("CFF2"),
    },
    "a colour font": {
      "in colours": withTable("COLR"),
      "of drawings": withTable("SVG "),
    },
    "a bitmap font": { "of pictures": withTable("sbix") },
    "no outlines": { "without outlines": changed((tables) => delete tables.glyf) },
    "forbids embedding it": { "that must not be embedded": withEmbedding(2) },
    "no subsetting": { "that must not be subset": withEmbedding(0x100) },
    'no table "cmap"': { "without characters": changed((tables) => delete tables.cmap) },
    'no table "hmtx"': { "without widths": changed((tables) => delete tables.hmtx) },
    'no table "name"': { "without a name": changed((tables) => delete tables.name) },
    "past the end": {
      "that is cut off": armenian.subarray(0, 4000),
      "with a table past its end": moved(0xfffffff0),
    },
    declares: { "that is cut off in its directory": armenian.subarray(0, 40) },
    broken: {
      "of a signature alone": armenian.subarray(0, 4),
      "with more glyphs than outlines": changed((tables) => tables.maxp?.writeUInt16BE(60_000, 4)),
      "with a glyph that is cut off": trueType([empty, triangle.subarray(0, 11)]),
      "whose CFF subroutine calls itself": openType(
        [end, Buffer.concat([move, call(0), end])],
        [Buffer.concat([line, call(0)])],
      ),
    },
    "declares 65535 tables": {
      "of 65535 tables": Buffer.concat([longs(0x00010000), words(0xffff, 0, 0, 0)]),
    },
    "overlaps another": {
      "whose tables overlap": moved(20_000),
      "whose tables overlap its directory": moved(0),
    },
    "lacks the widths": {
      "with few widths": changed((tables) => Object.assign(tables, { hmtx: words(1, 2) })),
    },
    "0 glyphs": { "of no glyphs": changed((tables) => tables.maxp?.writeUInt16BE(0, 4)) },
    "0 units per em": { "without a scale": changed((tables) => tables.head?.writeUInt16BE(0, 18)) },
    "glyph 1 contains itself": {
      "with a glyph in itself": trueType([empty, composite(1)]),
      "with glyphs in each other": trueType([empty, composite(2), composite(1)]),
    },
    "contains glyph 9": { "with a glyph that it doesn't have": trueType([empty, composite(9)]) },
    deep: {
      "with glyphs nested too deep": trueType([
        empty,
        triangle,
        ...Array.from({ length: 12 }, (_, i) => composite(i + 1)),
      ]),
    },
    "is composed of": {
      "whose glyphs multiply": trueType([
        empty,
        triangle,
        ...Array.from({ length: 8 }, (_, i) => composite(...Array(50).fill(i + 1))),
      ]),
    },
    "60001 points": { "of too many points": trueType([empty, words(1, 0, 0, 500, 700, 60_000, 0)]) },
    "out of order": {
      "of four billion characters": trueType([empty, triangle], { cmap: cmap([0, 0xffffffff, 1]) }),
      "of characters twice": trueType([empty, triangle], { cmap: cmap([65, 70, 1], [68, 80, 1]) }),
    },
    "cut off": {
      "whose list of characters is cut off": trueType([empty, triangle], {
        cmap: cmap([65, 70, 1]).subarray(0, -4),
      }),
    },
    "format 99": {
      "whose characters are in an odd format": trueType([empty, triangle], {
        cmap: Buffer.concat([words(0, 1, 3, 10), longs(12), words(99, 0)]),
      }),
    },
    "no characters": { "without any character": trueType([empty, triangle], { cmap: cmap() }) },
    "glyphs of 3 characters": {
      "whose substitutions multiply": trueType([empty, triangle, triangle, triangle], {
        GSUB: multiplyingGsub(50, 2),
      }),
    },
  });
});
