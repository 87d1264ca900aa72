/** The part of fontkit 2 that this folder uses; the package ships no types. */
declare module "fontkit" {
  export interface Glyph {
    readonly id: number;
    readonly codePoints: number[];
    readonly advanceWidth: number;
    readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
  }

  export interface GlyphPosition {
    xAdvance: number;
    yAdvance: number;
    xOffset: number;
    yOffset: number;
  }

  export interface GlyphRun {
    readonly glyphs: Glyph[];
    readonly positions: GlyphPosition[];
    readonly advanceWidth: number;
  }

  export interface Font {
    readonly postscriptName: string;
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    getGlyph(id: number, codePoints?: number[]): Glyph;
    layout(
      text: string,
      features?: string[] | Record<string, boolean>,
      script?: string,
      language?: string,
      direction?: "ltr" | "rtl",
    ): GlyphRun;
  }

  export function create(data: Uint8Array): Font;
}
