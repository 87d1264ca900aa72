/** The position of everything in a document. Lengths are in points, from the bottom left corner of the page. */
export interface Layout {
  readonly page: { readonly width: number; readonly height: number };
  /** The page size for which the positions in options are designed. */
  readonly drawnFor: { readonly width: number; readonly height: number };
  /** Whether left and right are exchanged between options and page. */
  readonly mirrored: boolean;
  /** Distance of texts from the edges of the page. */
  readonly margin: number;
  /** In drawing order, which is also the reading order. */
  readonly elements: readonly LaidElement[];
}

export interface LaidElement {
  /** Path of the option that places it, for example `text_elements.name`; undefined if the design places it. */
  readonly option?: string | undefined;
  readonly kind: "text" | "picture" | "qr";
  /** From the top to the bottom of its ink; of zero size if there is nothing to print. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly text?: LaidText | undefined;
}

/** How a text was set. */
export interface LaidText {
  /** The printed text. */
  readonly words: string;
  /** Its options after defaults and inheritance. */
  readonly x: number;
  readonly y: number;
  readonly align: "left" | "center" | "right";
  /** As `#rrggbb`. */
  readonly color: string;
  readonly askedSize: number;
  /** The maximum width; undefined if it is unlimited. */
  readonly room?: number | undefined;
  /** Slug of a font asset or name of a built-in family; undefined for the design's font. */
  readonly font?: string | undefined;
  readonly size: number;
  /** Baseline of the first line. */
  readonly baseline: number;
  readonly lines: number;
  /** True if it was set smaller than requested. */
  readonly shrunk: boolean;
  /** True if it takes more lines than its text has. */
  readonly wrapped: boolean;
  /** True if it is too small to read. Such a document is not issued. */
  readonly unreadable: boolean;
  /** Names of the fonts in which its characters are set. */
  readonly fonts: readonly string[];
  /** Characters that no font has, each listed once. A document with missing characters is not issued. */
  readonly missing: readonly string[];
}

/** How to render a preview. */
export interface PreviewMode {
  /** PREVIEW across the page; small in its corner, where it hides nothing; or nowhere, for a picture. */
  readonly stamp: "across" | "corner" | "none";
  /** True to return only the layout. */
  readonly layoutOnly: boolean;
  /**
   * True to report errors (characters that no font has, unreadable sizes) in the layout instead of refusing the
   * document.
   */
  readonly lenient: boolean;
}

export interface PreviewedDocument {
  /** Undefined if only the layout was requested. */
  readonly pdf?: Uint8Array<ArrayBuffer> | undefined;
  /** Undefined if the generator doesn't report layouts. */
  readonly layout?: Layout | undefined;
}
