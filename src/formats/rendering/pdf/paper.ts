import type { Box, PageSize, Resource } from "./marks.js";
import type { PdfDictionary, PdfObject } from "./pdf-object.js";

/** Transforms coordinates on the displayed page into coordinates in the page's content (ISO 32000, 8.3.4). */
export type Matrix = readonly [number, number, number, number, number, number];

/** The page under the marks: an empty page, or an institution's page. */
export interface Paper extends PageSize {
  readonly matrix: Matrix;
  /** Page boxes, rotation and similar entries. */
  readonly entries: PdfDictionary;
  /** The page's original content. It is drawn first, in its own coordinates. */
  readonly background?: Resource;
  /** Position and size of a background that is a picture. */
  readonly backgroundMatrix?: readonly number[];
  readonly annotations: readonly PdfObject[];
  /** Catalogue entries that the page's layers need. */
  readonly catalogEntries: PdfDictionary;
  /** True if a document on this paper can be PDF/A. */
  readonly archival: boolean;
}

export function emptyPaper({ width, height }: PageSize): Paper {
  return {
    width,
    height,
    matrix: [1, 0, 0, 1, 0, 0],
    entries: { MediaBox: [0, 0, width, height] },
    annotations: [],
    catalogEntries: {},
    archival: true,
  };
}

/** Converts a box on the displayed page to a rectangle in content coordinates. */
export function rectangle(box: Box, [a, b, c, d, e, f]: Matrix): number[] {
  const corner = (x: number, y: number) => ({ x: a * x + c * y + e, y: b * x + d * y + f });
  const one = corner(box.x, box.y);
  const other = corner(box.x + box.width, box.y + box.height);
  return [
    Math.min(one.x, other.x),
    Math.min(one.y, other.y),
    Math.max(one.x, other.x),
    Math.max(one.y, other.y),
  ];
}
