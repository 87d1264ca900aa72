import type { Font } from "fontkit";

/** How the processors of fontkit's layout engine find out about a glyph: pure functions, none of them public. */
interface OpenTypeProcessor {
  readonly glyphIterator: { readonly cur: { readonly id: number } };
  coverageIndex(coverage: object, glyph?: number): number;
  getClassID(glyph: number, classes: object): number;
}

/**
 * Has fontkit remember which place a glyph has in a table of its font: it would go through hundreds of ranges for each
 * glyph and rule.
 */
export function quickenLookups(font: Font): void {
  const { engine } = (
    font as unknown as { _layoutEngine: { engine?: Record<string, OpenTypeProcessor | undefined> } }
  )._layoutEngine;
  for (const processor of [engine?.GSUBProcessor, engine?.GPOSProcessor]) {
    if (!processor) continue;
    const { coverageIndex, getClassID } = processor;
    const indexes = createGlyphMemo((coverage, glyph) => coverageIndex.call(processor, coverage, glyph));
    const classIds = createGlyphMemo((classes, glyph) => getClassID.call(processor, glyph, classes));
    processor.coverageIndex = (coverage, glyph) => indexes(coverage, glyph ?? processor.glyphIterator.cur.id);
    processor.getClassID = (glyph, classes) => classIds(classes, glyph);
  }
}

function createGlyphMemo(find: (table: object, glyph: number) => number) {
  const known = new WeakMap<object, Map<number, number>>();
  return (table: object, glyph: number): number => {
    let ofTable = known.get(table);
    if (!ofTable) {
      ofTable = new Map();
      known.set(table, ofTable);
    }
    let found = ofTable.get(glyph);
    if (found === undefined) {
      found = find(table, glyph);
      ofTable.set(glyph, found);
    }
    return found;
  };
}
