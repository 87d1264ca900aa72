import type { Font } from "fontkit";

/** The parts of fontkit's layout engine that are repaired here; none of them is public. */
interface OpenTypeProcessor {
  readonly glyphs: readonly unknown[];
  readonly glyphIterator: { index: number };
  applyLookup(type: number, table: unknown): boolean;
  applyAnchor(mark: unknown, baseAnchor: unknown, baseIndex: number): void;
}

interface EngineOwner {
  readonly _layoutEngine: {
    readonly engine?: {
      readonly GSUBProcessor?: OpenTypeProcessor;
      readonly GPOSProcessor?: OpenTypeProcessor;
    };
  };
}

const extensionSubstitution = 7;

/**
 * Repairs two faults of fontkit 2.0.4, found by comparing it with HarfBuzz over random syllables of each script:
 * - after one glyph became several it looks at the new ones again, where the rules of some fonts then match for ever
 *   (the Bengali শ্রে eats all memory);
 * - a mark on a base without an anchor for it is a TypeError (Hebrew points under final letters).
 */
export function repairShaping(font: Font): void {
  const { engine } = (font as unknown as EngineOwner)._layoutEngine;
  if (engine?.GSUBProcessor) stepOverNewGlyphs(engine.GSUBProcessor);
  if (engine?.GPOSProcessor) skipMissingAnchors(engine.GPOSProcessor);
}

/**
 * Puts combining marks in the order that fonts are made for, where it is not Unicode's: shadda before the vowel above
 * it (UTR #53), and the circle of Thai and Lao "am" below the tone mark.
 */
export function inShapingOrder(text: string): string {
  return text
    .replace(/([\u064B-\u0650\u0652\u0670]+)\u0651/g, "\u0651$1")
    .replace(/([\u0E48-\u0E4B]*)\u0E33/g, "\u0E4D$1\u0E32")
    .replace(/([\u0EC8-\u0ECB]*)\u0EB3/g, "\u0ECD$1\u0EB2");
}

function stepOverNewGlyphs(processor: OpenTypeProcessor): void {
  const applyLookup = processor.applyLookup;
  processor.applyLookup = function (this: OpenTypeProcessor, type, table) {
    const before = this.glyphs.length;
    const applied = applyLookup.call(this, type, table);
    const added = this.glyphs.length - before;
    // An extension wraps a lookup that came through here itself.
    if (added > 0 && type !== extensionSubstitution) this.glyphIterator.index += added;
    return applied;
  };
}

function skipMissingAnchors(processor: OpenTypeProcessor): void {
  const { applyLookup, applyAnchor } = processor;
  let missing = false;
  processor.applyAnchor = function (this: OpenTypeProcessor, mark, baseAnchor, baseIndex) {
    missing = baseAnchor === null;
    if (!missing) applyAnchor.call(this, mark, baseAnchor, baseIndex);
  };
  processor.applyLookup = function (this: OpenTypeProcessor, type, table) {
    missing = false;
    const applied = applyLookup.call(this, type, table);
    // Not applied: the next subtable may have the anchor.
    return applied && !missing;
  };
}
