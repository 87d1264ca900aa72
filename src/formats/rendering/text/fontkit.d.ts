/** The part of fontkit 2 that this service uses to embed fonts. The package has no types. */
declare module "fontkit" {
  export interface Subset {
    readonly glyphs: number[];
    /** @returns the number of the glyph in the subset */
    includeGlyph(id: number): number;
    encode(): Uint8Array;
  }

  export interface Font {
    /** null if the font doesn't state its PostScript name. */
    readonly postscriptName: string | null;
    readonly ascent: number;
    readonly descent: number;
    readonly capHeight: number;
    readonly italicAngle: number;
    readonly bbox: { minX: number; minY: number; maxX: number; maxY: number };
    readonly directory: { readonly tables: Record<string, unknown> };
    getGlyph(id: number): { readonly path: { readonly commands: readonly unknown[] } };
    createSubset(): Subset;
  }

  export function create(data: Uint8Array): Font;
}
