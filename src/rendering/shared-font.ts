import { createRequire } from "node:module";
import type * as fontkit from "fontkit";
import { createMemo } from "../memo.js";
import { mirror } from "./bidi.js";
import { plainLatin } from "./plain-latin.js";
import { quickenLookups } from "./quick-lookups.js";
import { inShapingOrder, repairShaping } from "./shaping-repairs.js";

/**
 * Feature tags, plus `rtla` for a right-to-left run, and `plain` for one glyph a character and no kerning, which is fast;
 * a leading minus switches a feature off.
 */
export type FontFeatures = readonly string[];

const require = createRequire(import.meta.url);

/** It takes a sixth of a second to load, and a process that renders nothing may never open a font. */
const loadFontkit = () => require("fontkit") as typeof fontkit;

/**
 * Opens a font, to be shared by every document of this process: parsing it anew for each credential costs twenty times
 * the rest of the document.
 *
 * The object differs from fontkit's in three ways (and see `repairShaping`):
 * - the feature `rtla` stands for a direction (a run of neutrals has none of its own);
 * - fontkit remembers for each glyph the characters of its first use in the process, which makes the text layer of a
 *   document depend on the documents before it; here a glyph keeps the characters of this use;
 * - layouts are remembered.
 * @param byWord whether no rule of the font for Latin looks beyond a space: its words are then laid out, and remembered, one
 *   by one. Names differ, but their words come again
 */
export function openSharedFont(bytes: Uint8Array, byWord = false): fontkit.Font {
  const font = loadFontkit().create(bytes);
  const glyphs = createMemo<fontkit.Glyph>(5000);
  const layouts = createMemo<fontkit.GlyphRun>(500);
  const words = createMemo<fontkit.GlyphRun>(1000);

  const shared: fontkit.Font = Object.create(font, {
    getGlyph: {
      value: (id: number, codePoints: readonly number[] = []) =>
        glyphs(`${id}:${codePoints}`, () => {
          const base = font.getGlyph(id);
          const GlyphClass = base.constructor as new (...args: unknown[]) => fontkit.Glyph;
          return new GlyphClass(id, codePoints, font);
        }),
    },
    layout: {
      value: (text: string, features: FontFeatures = []) =>
        layouts(`${features}|${text}`, () => {
          if (features.includes("plain")) return layOutPlainly(text);
          return byWord && plainLatin.test(text) ? layOutWords(text, features) : layOut(text, features);
        }),
    },
  });

  function layOutWords(text: string, features: FontFeatures): fontkit.GlyphRun {
    const runs = text.split(/( )/).map((word) => words(`${features}|${word}`, () => layOut(word, features)));
    return {
      glyphs: runs.flatMap(({ glyphs }) => glyphs),
      positions: runs.flatMap(({ positions }) => positions),
      advanceWidth: runs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
    };
  }

  function layOut(text: string, features: FontFeatures): fontkit.GlyphRun {
    const rightToLeft = features.includes("rtla");
    const switches = features.map((tag) => (tag.startsWith("-") ? [tag.slice(1), false] : [tag, true]));
    const ordered = inShapingOrder(text);
    const run = font.layout.call(
      shared,
      rightToLeft ? mirror(ordered) : ordered,
      Object.fromEntries(switches),
      undefined,
      undefined,
      rightToLeft ? "rtl" : "ltr",
    );
    const { positions, advanceWidth } = run;
    return { glyphs: rightToLeft ? run.glyphs.map(unmirrored) : run.glyphs, positions, advanceWidth };
  }

  function layOutPlainly(text: string): fontkit.GlyphRun {
    const run = Array.from(text, (character) => shared.glyphForCodePoint(character.codePointAt(0) ?? 0));
    const positions = run.map((glyph) => ({
      xAdvance: glyph.advanceWidth,
      yAdvance: 0,
      xOffset: 0,
      yOffset: 0,
    }));
    return { glyphs: run, positions, advanceWidth: run.reduce((sum, glyph) => sum + glyph.advanceWidth, 0) };
  }

  /** The same shape, standing for the character that was written. */
  function unmirrored(glyph: fontkit.Glyph): fontkit.Glyph {
    const written = Array.from(mirror(String.fromCodePoint(...glyph.codePoints)));
    return shared.getGlyph(
      glyph.id,
      written.map((character) => character.codePointAt(0) ?? 0),
    );
  }

  repairShaping(shared);
  quickenLookups(shared);
  return shared;
}
