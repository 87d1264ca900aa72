import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as fontkit from "fontkit";
import { mirror } from "./bidi.js";
import { inShapingOrder, repairShaping } from "./shaping-repairs.js";

/** Feature tags, plus `rtla` for a right-to-left run; a leading minus switches a feature off. */
export type FontFeatures = readonly string[];

const resolve = createRequire(import.meta.url).resolve;
const layoutsKept = 500;

/**
 * Opens a font file of an installed package, to be shared by every document of this process: parsing it anew for each
 * credential costs twenty times the rest of the document.
 *
 * The object differs from fontkit's in three ways, needed because pdfkit is handed it as it is (and see `repairShaping`):
 * - pdfkit can't pass a direction to `layout`, so the feature `rtla` stands for it (a run of neutrals has none of its own);
 * - fontkit remembers for each glyph the characters of its first use in the process, which makes the text layer of a
 *   document depend on the documents before it; here a glyph keeps the characters of this use;
 * - layouts are remembered: a line is measured once and drawn once.
 */
export function openSharedFont(path: string): fontkit.Font {
  const font = fontkit.create(readFileSync(resolve(path)));
  const glyphs = new Map<string, fontkit.Glyph>();
  const layouts = new Map<string, fontkit.GlyphRun>();

  const shared: fontkit.Font = Object.create(font, {
    getGlyph: {
      value(id: number, codePoints: number[] = []): fontkit.Glyph {
        const key = `${id}:${codePoints}`;
        const known = glyphs.get(key);
        if (known) return known;
        const base = font.getGlyph(id);
        const GlyphClass = base.constructor as new (...args: unknown[]) => fontkit.Glyph;
        const glyph = new GlyphClass(id, codePoints, font);
        glyphs.set(key, glyph);
        return glyph;
      },
    },
    layout: {
      value(text: string, features: FontFeatures = []): fontkit.GlyphRun {
        const key = `${features}|${text}`;
        let run = layouts.get(key);
        if (!run) {
          run = layOut(text, features);
          if (layouts.size >= layoutsKept) layouts.clear();
          layouts.set(key, run);
        }
        // pdfkit scales the positions in place.
        return { ...run, positions: run.positions.map((position) => ({ ...position })) };
      },
    },
  });

  function layOut(text: string, features: FontFeatures): fontkit.GlyphRun {
    const rightToLeft = features.includes("rtla");
    const switches = features.map((tag) => (tag.startsWith("-") ? [tag.slice(1), false] : [tag, true]));
    const ordered = inShapingOrder(text);
    const { glyphs, positions, advanceWidth } = font.layout.call(
      shared,
      rightToLeft ? mirror(ordered) : ordered,
      Object.fromEntries(switches),
      undefined,
      undefined,
      rightToLeft ? "rtl" : "ltr",
    );
    return { glyphs: rightToLeft ? glyphs.map(unmirrored) : glyphs, positions, advanceWidth };
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
