/** The part of fontkit 2 that this folder uses; the package ships no types. */
declare module "fontkit" {
  export interface Glyph {
    readonly id: number;
    readonly codePoints: number[];
    readonly advanceWidth: number;
    readonly path: {
      readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[];
    };
    readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
  }

  export interface GlyphPosition {
    readonly xAdvance: number;
    readonly yAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }

  export interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly GlyphPosition[];
    readonly advanceWidth: number;
  }

  export interface Subset {
    readonly glyphs: number[];
    /** @returns the number of the glyph in the subset */
    includeGlyph(id: number): number;
    encode(): Uint8Array;
  }

  export interface Font {
    /** null where the font does not tell. */
    readonly postscriptName: string | null;
    readonly unitsPerEm: number;
    readonly ascent: number;
    readonly descent: number;
    readonly capHeight: number;
    readonly italicAngle: number;
    readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
    readonly characterSet: readonly number[];
    readonly directory: { readonly tables: Record<string, unknown> };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    getGlyph(id: number, codePoints?: readonly number[]): Glyph;
    createSubset(): Subset;
    layout(
      text: string,
      features?: readonly string[] | Record<string, boolean>,
      script?: string,
      language?: string,
      direction?: "ltr" | "rtl",
    ): GlyphRun;
  }

  export function create(data: Uint8Array): Font;
}
