import { createRequire } from "node:module";
import type * as fontkit from "fontkit";
import * as harfbuzz from "harfbuzzjs";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { plainLatin } from "./plain-latin.js";
import { createSmallCapitals } from "./small-capitals.js";

/** A glyph of a font. Lengths are in font units. */
export interface Glyph {
  readonly id: number;
  /** The characters that the glyph represents, in logical order. Empty for further glyphs of the same character. */
  readonly codePoints: readonly number[];
  readonly advanceWidth: number;
  /** Extent of the ink above the baseline. */
  readonly top: number;
  /** Extent of the ink below the baseline. */
  readonly bottom: number;
}

/** Distances from the pen, in font units. */
export interface GlyphPosition {
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** Glyphs from left to right. */
interface GlyphRun {
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly GlyphPosition[];
  readonly advanceWidth: number;
}

/**
 * OpenType feature tags. A leading minus switches a feature off. Three tags are specific to this service: `rtl` shapes
 * a right-to-left run; `plain` gives Latin text one glyph per character without kerning; `small-capitals` finds every
 * small capital of the font, where `smcp` alone misses some.
 */
export type FontFeatures = readonly string[];

/** A font. It is opened once and shared by all documents of the process. */
export interface Font {
  readonly unitsPerEm: number;
  /** The parsed file, for embedding the font in a PDF. Loaded at first use. */
  readonly program: fontkit.Font;
  /** Lists all code points that have a glyph. */
  characters(): readonly number[];
  hasGlyphFor(codePoint: number): boolean;
  /** Returns whether the font has a small capital for a letter. Returns true if it isn't a lower-case letter. */
  hasSmallCapital(letter: string, language: string): boolean;
  glyphFor(codePoint: number): Glyph;
  /**
   * Shapes a text.
   * @param language BCP 47 tag that selects the letter forms
   */
  layout(text: string, features?: FontFeatures, language?: string): GlyphRun;
  /** Returns the outline of a glyph, as commands `M L Q C Z` with their values. */
  outline(glyph: Glyph): readonly { readonly type: string; readonly values: readonly number[] }[];
}

const require = createRequire(import.meta.url);

/** Makes HarfBuzz keep characters in separate clusters where it can. PDF viewers need this for selecting text. */
const { MONOTONE_CHARACTERS } = harfbuzz.ClusterLevel;
const { LTR, RTL } = harfbuzz.Direction;

/** If the language is Latin, fonts replace u with v, which would change the spelling of names. */
const latin = /^la(?:-|$)/i;

/** fontkit reads this many bytes of every glyph, even if the glyph has no outline and is at the end of the file. */
const outlineHeader = Buffer.alloc(10);

const featuresByTag = createBoundedCache<harfbuzz.Feature>(100);
let buffer: harfbuzz.Buffer | undefined;

/**
 * Opens a font. Text is shaped by HarfBuzz, as in browsers. Layouts are cached.
 * @param byWord true if the shape of a Latin word never depends on the words beside it. Words are then laid out and
 *   cached individually, because they recur in different names
 */
export function openFont(bytes: Uint8Array, byWord = false): Font {
  const face = new harfbuzz.Face(new harfbuzz.Blob(bytes));
  const font = new harfbuzz.Font(face);
  const covered = new Set(face.collectUnicodes());
  const { glyph, shape } = createShaper(font);
  const layouts = createBoundedCache<GlyphRun>(500);
  const words = createBoundedCache<GlyphRun>(1000);
  const smallCapitals = createSmallCapitals((text, features, language) =>
    shape(text, features, language).glyphs.map(({ id }) => id),
  );
  let program: fontkit.Font | undefined;

  function glyphFor(codePoint: number): Glyph {
    return glyph(font.nominalGlyph(codePoint) ?? 0, [codePoint]);
  }

  function layOutWords(text: string, features: FontFeatures, language: string): GlyphRun {
    const runs = text
      .split(/( )/)
      .map((word) => words(`${language}|${features}|${word}`, () => shape(word, features, language)));
    return joined(runs);
  }

  function layOutPlainly(text: string): GlyphRun {
    const run = Array.from(text, (character) => glyphFor(character.codePointAt(0) ?? 0));
    const positions = run.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, xOffset: 0, yOffset: 0 }));
    return { glyphs: run, positions, advanceWidth: widthOf(positions) };
  }

  function layOutSmallCapitals(text: string, features: FontFeatures, language: string): GlyphRun {
    const prepared = smallCapitals.prepare(text, language);
    const others = features.filter((tag) => tag !== "small-capitals");
    const run = shape(prepared.text, [...others, ...prepared.features], language);
    const letters = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
    let next = 0;
    const glyphs = run.glyphs.map(({ id, codePoints }) => {
      const start = next;
      next += codePoints.length;
      return glyph(id, letters.slice(start, next));
    });
    return { ...run, glyphs };
  }

  return {
    unitsPerEm: readUnitsPerEm(face),
    get program() {
      program ??= (require("fontkit") as typeof fontkit).create(Buffer.concat([bytes, outlineHeader]));
      return program;
    },
    characters: () => [...covered],
    hasGlyphFor: (codePoint) => covered.has(codePoint),
    hasSmallCapital: (letter, requested) => smallCapitals.has(letter, shapedAs(requested)),
    glyphFor,
    layout(text, features = [], requested = "und") {
      const language = shapedAs(requested);
      return layouts(`${language}|${features}|${text}`, () => {
        if (features.includes("small-capitals")) return layOutSmallCapitals(text, features, language);
        if (features.includes("rtl") || !plainLatin.test(text)) return shape(text, features, language);
        if (features.includes("plain")) return layOutPlainly(text);
        return byWord ? layOutWords(text, features, language) : shape(text, features, language);
      });
    },
    outline: ({ id }) => font.glyphToJson(id),
  };
}

/**
 * Returns two functions: `shape` shapes a text with HarfBuzz, and `glyph` returns a cached glyph with its characters.
 */
function createShaper(font: harfbuzz.Font) {
  const glyphs = createBoundedCache<Glyph>(5000);

  function glyph(id: number, codePoints: readonly number[]): Glyph {
    return glyphs(`${id}:${codePoints}`, () => {
      const { yBearing = 0, height = 0 } = font.glyphExtents(id) ?? {};
      return {
        id,
        codePoints,
        advanceWidth: font.glyphHAdvance(id),
        top: yBearing,
        bottom: yBearing + height,
      };
    });
  }

  function shape(text: string, features: FontFeatures, language: string): GlyphRun {
    buffer ??= new harfbuzz.Buffer();
    buffer.clearContents();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    buffer.setLanguage(language);
    buffer.setDirection(features.includes("rtl") ? RTL : LTR);
    buffer.setClusterLevel(MONOTONE_CHARACTERS);
    harfbuzz.shape(font, buffer, features.filter((tag) => tag !== "rtl" && tag !== "plain").map(featureOf));
    const infos = buffer.getGlyphInfos();
    const positions = buffer.getGlyphPositions();
    const characters = charactersOf(infos, text, font);
    return {
      glyphs: infos.map(({ codepoint: id }, index) => glyph(id, characters[index] ?? [])),
      positions,
      advanceWidth: widthOf(positions),
    };
  }

  return { glyph, shape };
}

function joined(runs: readonly GlyphRun[]): GlyphRun {
  return {
    glyphs: runs.flatMap(({ glyphs }) => glyphs),
    positions: runs.flatMap(({ positions }) => positions),
    advanceWidth: runs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
  };
}

/** Returns the characters of each glyph. Each character of the text belongs to exactly one glyph. */
function charactersOf(
  infos: readonly harfbuzz.GlyphInfo[],
  text: string,
  font: harfbuzz.Font,
): (readonly number[])[] {
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b);
  const ends = new Map(starts.map((start, index) => [start, starts[index + 1] ?? text.length]));
  const ofCluster = new Map<number, number[]>();
  infos.forEach(({ cluster }, index) => {
    const indexes = ofCluster.get(cluster);
    if (indexes) indexes.push(index);
    else ofCluster.set(cluster, [index]);
  });
  const characters: number[][] = infos.map(() => []);
  for (const [start, members] of ofCluster) {
    const codePoints = Array.from(text.slice(start, ends.get(start)), (each) => each.codePointAt(0) ?? 0);
    const [first = 0] = members;
    if (members.length === 1) characters[first] = codePoints;
    else shareOut(codePoints, members);
  }
  return characters;

  /**
   * Assigns each character to its own glyph, if the cluster contains that glyph. Assigns all other characters to the
   * first glyph that is still without a character, or otherwise to the first glyph.
   */
  function shareOut(codePoints: readonly number[], members: readonly number[]): void {
    const free = new Set(members);
    const rest: number[] = [];
    for (const codePoint of codePoints) {
      const own = [...free].find((index) => infos[index]?.codepoint === font.nominalGlyph(codePoint));
      if (own === undefined) rest.push(codePoint);
      else characters[own] = [codePoint];
      if (own !== undefined) free.delete(own);
    }
    const [taker = members[0] ?? 0] = free;
    if (rest.length > 0) characters[taker] = [...(characters[taker] ?? []), ...rest];
  }
}

/** @param feature a tag, optionally limited to a part of the text by `[start:end]` */
function featureOf(feature: string): harfbuzz.Feature {
  return featuresByTag(feature, () => {
    const [, off, tag = "", start, end] = /^(-?)(\w+)(?:\[(\d+):(\d+)\])?$/.exec(feature) ?? [];
    const value = off ? 0 : 1;
    return start === undefined
      ? new harfbuzz.Feature(tag, value)
      : new harfbuzz.Feature(tag, value, Number(start), Number(end));
  });
}

function shapedAs(requested: string): string {
  return latin.test(requested) ? "und" : requested;
}

function widthOf(positions: readonly GlyphPosition[]): number {
  return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
}

/** Reads the units per em from the table "head" (OpenType specification). */
function readUnitsPerEm(face: harfbuzz.Face): number {
  const head = face.referenceTable("head");
  return head === undefined ? 1000 : ((head[18] ?? 0) << 8) | (head[19] ?? 0) || 1000;
}
