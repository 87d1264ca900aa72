/** The positions in a document. Lengths are in points, from the bottom left corner of the page. */
export interface Layout {
  readonly page: { readonly width: number; readonly height: number };
  /** The page size for which the options are designed. */
  readonly drawnFor: { readonly width: number; readonly height: number };
  /** True if left and right are exchanged between the options and the page. */
  readonly mirrored: boolean;
  /** Distance of texts from the edges of the page. */
  readonly margin: number;
  /** In drawing order, which is also the reading order. */
  readonly elements: readonly LaidElement[];
}

export interface LaidElement {
  /** Path of the option, for example `text_elements.name`; undefined if the design places the element. */
  readonly option?: string | undefined;
  readonly kind: "text" | "picture" | "qr";
  /** Extends from the top to the bottom of the ink; has no size if there is nothing to print. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly text?: LaidText | undefined;
}

export interface LaidText {
  readonly words: string;
  /** The text's options after defaults and inheritance. */
  readonly x: number;
  readonly y: number;
  readonly align: "left" | "center" | "right";
  readonly color: string;
  readonly requestedSize: number;
  /** Maximum width. */
  readonly room?: number | undefined;
  /** Slug of a font asset or name of a built-in family; undefined for the design's font. */
  readonly font?: string | undefined;
  readonly size: number;
  /** Baseline of the first line. */
  readonly baseline: number;
  readonly lines: number;
  /** True if the text is set smaller than requested. */
  readonly shrunk: boolean;
  /** True if the text is set in more lines than it was written in, because it is too long. */
  readonly wrapped: boolean;
  /** True if the text is too small to read. Such a document is not issued. */
  readonly unreadable: boolean;
  /** Names of the fonts in use. */
  readonly fonts: readonly string[];
  /** Characters that no font has, each once. A document with missing characters is not issued. */
  readonly missing: readonly string[];
}

export interface PreviewMode {
  /** `corner` is small and hides nothing. `none` is used when the page is converted to an image. */
  readonly stamp: "across" | "corner" | "none";
  readonly layoutOnly: boolean;
  /** True to report missing characters and unreadable sizes in the layout instead of refusing the document. */
  readonly lenient: boolean;
}

export interface PreviewedDocument {
  /** Undefined if only the layout was requested. */
  readonly pdf?: Uint8Array<ArrayBuffer> | undefined;
  /** Undefined if the generator doesn't report layouts. */
  readonly layout?: Layout | undefined;
}
