import type { Box, PageSize, Resource } from "./marks.js";
import type { PdfDictionary, PdfObject } from "./pdf-object.js";

/** From the page as it is displayed to the space in which its content is written (ISO 32000, 8.3.4). */
export type Matrix = readonly [number, number, number, number, number, number];

/** What marks are put on: an empty page, or one of an institution. */
export interface Paper extends PageSize {
  readonly matrix: Matrix;
  /** Page boxes, rotation and the like. */
  readonly entries: PdfDictionary;
  /** The page's own content, drawn first, in its own space. */
  readonly background?: Resource;
  /** How a background that is a picture is placed. */
  readonly backgroundMatrix?: readonly number[];
  readonly annotations: readonly PdfObject[];
  /** Of the document: what its optional content needs. */
  readonly catalogEntries: PdfDictionary;
  /** Whether what is printed on it can be PDF/A. */
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

/** The rectangle that a displayed box is in content space. */
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
