import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export type Tables = Record<string, Buffer>;

/** A font from npm, as its maker published it. */
export function fontOf(file: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/${file}`));
}

export const armenian = fontOf("noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf");

export function tablesOf(font: Buffer): Tables {
  const count = font.readUInt16BE(4);
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const at = 12 + 16 * i;
      const start = font.readUInt32BE(at + 8);
      const table = Buffer.from(font.subarray(start, start + font.readUInt32BE(at + 12)));
      return [font.toString("latin1", at, at + 4), table];
    }),
  );
}

/** Builds a font file from its tables, with the outlines at its end. */
export function sfnt(tables: Tables, version = 0x00010000): Buffer {
  const entries = Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1));
  const directory = Buffer.alloc(12 + 16 * entries.length);
  directory.writeUInt32BE(version, 0);
  directory.writeUInt16BE(entries.length, 4);
  const parts = [directory];
  let start = directory.length;
  const last = ([, [tag]]: readonly [number, readonly [string, Buffer]]) => (tag === "glyf" ? 1 : 0);
  for (const [i, [tag, table]] of [...entries.entries()].sort((a, b) => last(a) - last(b))) {
    directory.write(tag, 12 + 16 * i, "latin1");
    directory.writeUInt32BE(start, 20 + 16 * i);
    directory.writeUInt32BE(table.length, 24 + 16 * i);
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    parts.push(padded);
    start += padded.length;
  }
  return Buffer.concat(parts);
}

/** Encodes numbers of 16 bits. */
export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * i);
  return bytes;
}

/** Encodes numbers of 32 bits. */
export function longs(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}

/** Builds a `cmap` in format 12 from groups [first, last, glyph]. */
export function cmap(...groups: [number, number, number][]): Buffer {
  const subtable = Buffer.concat([
    words(12, 0),
    longs(16 + 12 * groups.length, 0, groups.length, ...groups.flat()),
  ]);
  return Buffer.concat([words(0, 1, 3, 10), longs(12), subtable]);
}

/**
 * Returns the tables of a font of `numGlyphs` glyphs without outlines, in which A, B, C … are glyphs 1, 2, 3
 * …
 */
function skeleton(numGlyphs: number): Tables {
  const { head, hhea, name, post, "OS/2": os2 } = tablesOf(armenian);
  if (!head || !hhea || !name || !post || !os2) throw new Error("a table is missing");
  head.writeInt16BE(1, 50); // long offsets in loca
  hhea.writeUInt16BE(numGlyphs, 34);
  post.writeUInt32BE(0x00030000, 0); // glyphs have no names
  return {
    head,
    hhea,
    name,
    post: post.subarray(0, 32),
    "OS/2": os2,
    hmtx: words(...Array.from({ length: numGlyphs }, () => [600, 0]).flat()),
    cmap: cmap([65, 65 + Math.min(numGlyphs - 2, 25), 1]),
  };
}

export function trueType(outlines: readonly Buffer[], tables: Tables = {}): Buffer {
  const padded = outlines.map((outline) => Buffer.concat([outline, Buffer.alloc(-outline.length & 3)]));
  let end = 0;
  const offsets = [0, ...padded.map(({ length }) => (end += length))];
  const maxp = Buffer.concat([longs(0x00010000), words(outlines.length), Buffer.alloc(26)]);
  return sfnt({
    ...skeleton(outlines.length),
    maxp,
    glyf: Buffer.concat(padded),
    loca: longs(...offsets),
    ...tables,
  });
}

export const triangle = Buffer.concat([
  words(1, 0, 0, 500, 700, 2, 0),
  Buffer.from([1, 1, 1]),
  words(0, 250, 250, 0, 700, -700),
]);

export function composite(...glyphs: number[]): Buffer {
  const parts = glyphs.map((glyph, i) => words(i < glyphs.length - 1 ? 0x21 : 0x01, glyph, 0, 0));
  return Buffer.concat([words(-1, 0, 0, 500, 700), ...parts]);
}

/** Type 2 charstrings (Adobe Technical Note 5177). */
export const charstring = {
  number: (value: number) => Buffer.from([28, (value >> 8) & 255, value & 255]),
  line: Buffer.from([28, 0, 10, 28, 0, 10, 5]),
  move: Buffer.from([28, 0, 10, 28, 0, 10, 21]),
  /** Calls a global subroutine. There must be fewer than 1240. */
  call: (index: number) => Buffer.concat([charstring.number(index - 107), Buffer.from([29])]),
  return: Buffer.from([11]),
  end: Buffer.from([14]),
};

/** Builds an OpenType font with CFF outlines (Adobe Technical Note 5176). */
export function openType(outlines: readonly Buffer[], globalSubroutines: readonly Buffer[] = []): Buffer {
  const integer = (value: number) => Buffer.concat([Buffer.from([29]), longs(value)]);
  const topDict = (charStrings: number, privateDict: number) =>
    Buffer.concat([
      integer(charStrings),
      Buffer.from([17]),
      integer(0),
      integer(privateDict),
      Buffer.from([18]),
    ]);
  const before = (charStrings: number, privateDict: number) =>
    Buffer.concat([
      Buffer.from([1, 0, 4, 4]),
      index([Buffer.from("Test")]),
      index([topDict(charStrings, privateDict)]),
      index([]),
      index(globalSubroutines),
    ]);
  const charStrings = before(0, 0).length;
  const outlinesIndex = index(outlines);
  const cff = Buffer.concat([before(charStrings, charStrings + outlinesIndex.length), outlinesIndex]);
  const maxp = Buffer.concat([longs(0x00005000), words(outlines.length)]);
  return sfnt({ ...skeleton(outlines.length), maxp, "CFF ": cff }, 0x4f54544f);
}

function index(items: readonly Buffer[]): Buffer {
  if (items.length === 0) return words(0);
  let end = 1;
  const offsets = [1, ...items.map(({ length }) => (end += length))];
  return Buffer.concat([words(items.length), Buffer.from([4]), longs(...offsets), ...items]);
}

/**
 * Builds a `GSUB` whose feature `ccmp` replaces glyph 1 with copies of glyph 2, then glyph 2 with copies of glyph 3,
 * and so on.
 * @param step 0 to replace glyph 1 with copies of itself
 */
export function multiplyingGsub(copies: number, lookups: number, step = 1): Buffer {
  const tag = (text: string) => Buffer.from(text, "latin1");
  const scripts = Buffer.concat([words(1), tag("DFLT"), words(8), words(4, 0), words(0, 0xffff, 1, 0)]);
  const indices = Array.from({ length: lookups }, (_, i) => i);
  const features = Buffer.concat([words(1), tag("ccmp"), words(8), words(0, lookups, ...indices)]);
  const tables = indices.map((i) => {
    const sequence = words(copies, ...Array<number>(copies).fill(1 + (i + 1) * step));
    const coverage = words(1, 1, 1 + i * step);
    return Buffer.concat([words(2, 0, 1, 8), words(1, 8 + sequence.length, 1, 8), sequence, coverage]);
  });
  const length = tables[0]?.length ?? 0;
  const list = Buffer.concat([
    words(lookups, ...indices.map((i) => 2 + 2 * lookups + i * length)),
    ...tables,
  ]);
  return Buffer.concat([
    words(1, 0, 10, 10 + scripts.length, 10 + scripts.length + features.length),
    scripts,
    features,
    list,
  ]);
}
