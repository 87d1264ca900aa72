/** Where everything lies on a document. Lengths are in points, from the bottom left corner of the page. */
export interface Layout {
  readonly page: { readonly width: number; readonly height: number };
  /** The page for which the positions in options are meant. */
  readonly drawnFor: { readonly width: number; readonly height: number };
  /** Whether left and right are exchanged between options and page. */
  readonly mirrored: boolean;
  /** Distance that texts keep from the edges of the page. */
  readonly margin: number;
  /** In the order of drawing and reading. */
  readonly elements: readonly LaidElement[];
}

export interface LaidElement {
  /** Path of the option that places it, such as `text_elements.name`; undefined if the design itself does. */
  readonly option?: string | undefined;
  readonly kind: "text" | "picture" | "qr";
  /** From its highest ink to its lowest; without extent if there is nothing to print. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly text?: LaidText | undefined;
}

/** How a text was set. */
export interface LaidText {
  /** What is printed. */
  readonly words: string;
  /** What its options come to, with defaults and inherited values. */
  readonly x: number;
  readonly y: number;
  readonly align: "left" | "center" | "right";
  /** As `#rrggbb`. */
  readonly color: string;
  readonly askedSize: number;
  /** The width that it may take; undefined if it is not limited. */
  readonly room?: number | undefined;
  /** Slug of a font asset or name of a built-in family; undefined for that of the design. */
  readonly font?: string | undefined;
  readonly size: number;
  /** Baseline of the first line. */
  readonly baseline: number;
  readonly lines: number;
  /** True if it was set smaller than asked. */
  readonly shrunk: boolean;
  /** True if it takes more lines than it was written in. */
  readonly wrapped: boolean;
  /** True if it is too small to be read: no document is issued so. */
  readonly unreadable: boolean;
  /** Names of the fonts in which its characters are set. */
  readonly fonts: readonly string[];
  /** Characters that no font has, each once: no document is issued with them. */
  readonly missing: readonly string[];
}

/** How a preview is made. */
export interface PreviewMode {
  /** PREVIEW across the page, or small at its upper edge, where it hides nothing; or nowhere, for a picture. */
  readonly stamp: "across" | "corner" | "none";
  /** Only the layout is needed. */
  readonly layoutOnly: boolean;
  /** What would refuse a document (characters that no font has, unreadable sizes) is reported in the layout. */
  readonly lenient: boolean;
}

export interface PreviewedDocument {
  /** Undefined if only the layout was requested. */
  readonly pdf?: Uint8Array<ArrayBuffer> | undefined;
  /** Undefined if the generator reports none. */
  readonly layout?: Layout | undefined;
}
