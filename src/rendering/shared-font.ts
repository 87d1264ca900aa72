import * as fontkit from "fontkit";
import { mirror } from "./bidi.js";
import { createMemo } from "./memo.js";
import { inShapingOrder, repairShaping } from "./shaping-repairs.js";

/**
 * Feature tags, plus `rtla` for a right-to-left run, and `plain` for one glyph a character and no kerning, which is fast;
 * a leading minus switches a feature off.
 */
export type FontFeatures = readonly string[];

/**
 * Opens a font, to be shared by every document of this process: parsing it anew for each credential costs twenty times
 * the rest of the document.
 *
 * The object differs from fontkit's in three ways (and see `repairShaping`):
 * - the feature `rtla` stands for a direction (a run of neutrals has none of its own);
 * - fontkit remembers for each glyph the characters of its first use in the process, which makes the text layer of a
 *   document depend on the documents before it; here a glyph keeps the characters of this use;
 * - layouts are remembered.
 */
export function openSharedFont(bytes: Uint8Array): fontkit.Font {
  const font = fontkit.create(bytes);
  const glyphs = createMemo<fontkit.Glyph>(5000);
  const layouts = createMemo<fontkit.GlyphRun>(500);

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
        layouts(`${features}|${text}`, () =>
          features.includes("plain") ? layOutPlainly(text) : layOut(text, features),
        ),
    },
  });

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
  return shared;
}
