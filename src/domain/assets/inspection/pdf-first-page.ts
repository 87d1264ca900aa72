import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFNumber, type PDFObject } from "@cantoo/pdf-lib";
import { invalid } from "#foundation/errors.js";
import { saveAgainAs } from "./remedies.js";

const MAX_PAGES = 2000;
const MAX_DEPTH = 40;

/**
 * Minimum and maximum length of a page's sides, in points: an inch, and the maximum of viewers (ISO 32000-1, annex C).
 */
const MIN_SIDE = 72;
const MAX_SIDE = 14_400;

const SAVE_AGAIN = saveAgainAs("PDF");

/** A page whose sides are in points. */
export interface MeasuredPage {
  readonly dict: PDFDict;
  readonly resources: PDFObject | undefined;
  readonly width: number;
  readonly height: number;
}

/**
 * Finds the first page, which is used as the template. The whole page tree is checked, because pdf-lib walks it without
 * limit.
 * @throws Problem `invalid` if the tree is endless or has no page, or if the page's size is unusable
 */
export function findFirstPage(document: PDFDocument): MeasuredPage {
  const [first] = findPages(document);
  const { context } = document;
  const media = context.lookup(inherited(first, "MediaBox"));
  const [width, height] = checkBoxes(first, media, inherited(first, "CropBox"));
  checkRotation(inherited(first, "Rotate"));
  return { dict: first, resources: inherited(first, "Resources"), width, height };
}

/** Finds the pages after the first. A page without a valid size gets the maximum size. */
export function findOtherPages(document: PDFDocument): MeasuredPage[] {
  const [, ...others] = findPages(document);
  return others.map((dict) => {
    const media = document.context.lookup(inherited(dict, "MediaBox"));
    const [width, height] = sidesOf(media) ?? [MAX_SIDE, MAX_SIDE];
    return { dict, resources: inherited(dict, "Resources"), width, height };
  });
}

function findPages(document: PDFDocument): [first: PDFDict, ...others: PDFDict[]] {
  const root = (document.catalog as PDFObject | undefined) instanceof PDFDict ? document.catalog : undefined;
  const [first, ...others] = pagesBelow(root?.lookup(PDFName.of("Pages")));
  if (!first) throw invalid(`The PDF has no pages. ${SAVE_AGAIN}`);
  return [first, ...others];
}

function pagesBelow(root: PDFObject | undefined): PDFDict[] {
  const pages: PDFDict[] = [];
  const seen = new Set<PDFDict>();

  function visit(node: PDFObject | undefined, parent: PDFDict | undefined, depth: number): void {
    if (!(node instanceof PDFDict)) throw invalid(`The PDF has a broken page tree. ${SAVE_AGAIN}`);
    if (seen.has(node)) throw invalid(`The page tree of the PDF is circular. ${SAVE_AGAIN}`);
    if (depth > MAX_DEPTH)
      throw invalid(`The page tree of the PDF is more than ${MAX_DEPTH} deep. ${SAVE_AGAIN}`);
    seen.add(node);
    const above = node.lookup(PDFName.of("Parent"));
    if (above !== undefined && above !== parent)
      throw invalid(`The PDF has a broken page tree. ${SAVE_AGAIN}`);
    const kids = node.lookup(PDFName.of("Kids"));
    if (kids instanceof PDFArray) {
      for (let i = 0; i < kids.size(); i += 1) visit(kids.lookup(i), node, depth + 1);
      return;
    }
    pages.push(node);
    if (pages.length > MAX_PAGES)
      throw invalid(`The PDF has more than ${MAX_PAGES} pages: save its first page alone.`);
  }

  visit(root, undefined, 0);
  return pages;
}

/**
 * Returns an attribute of a page, which may be inherited from the nodes above (ISO 32000-1, 7.7.3.4). The caller has
 * checked that the chain of these nodes ends.
 */
function inherited(page: PDFDict, key: string): PDFObject | undefined {
  for (
    let node: PDFObject | undefined = page;
    node instanceof PDFDict;
    node = node.lookup(PDFName.of("Parent"))
  ) {
    const value: PDFObject | undefined = node.lookup(PDFName.of(key));
    if (value !== undefined) return value;
  }
  return undefined;
}

function checkBoxes(
  page: PDFDict,
  mediaBox: PDFObject | undefined,
  cropBox: PDFObject | undefined,
): [width: number, height: number] {
  const media = sidesOf(mediaBox);
  if (!media) throw invalid(`The first page of the PDF has no valid size (MediaBox). ${SAVE_AGAIN}`);
  const crop = cropBox === undefined ? media : sidesOf(cropBox);
  if (!crop) throw invalid(`The first page of the PDF has no valid crop (CropBox). ${SAVE_AGAIN}`);
  const unit = page.lookup(PDFName.of("UserUnit"));
  if (unit instanceof PDFNumber && unit.asNumber() !== 1) {
    throw invalid(
      "The first page of the PDF uses its own unit of measurement (UserUnit), as very large pages do: make the page at most 5 m wide and high.",
    );
  }
  for (const [width, height] of [media, crop]) {
    if (Math.min(width, height) < MIN_SIDE || Math.max(width, height) > MAX_SIDE) {
      throw invalid(
        `The first page of the PDF has ${width} x ${height} points: each side must have ${MIN_SIDE} to ${MAX_SIDE}.`,
      );
    }
  }
  return media;
}

/** Returns the width and height of a rectangle, which is defined by any two opposite corners. */
function sidesOf(box: PDFObject | undefined): [width: number, height: number] | undefined {
  if (!(box instanceof PDFArray) || box.size() !== 4) return undefined;
  const corners = Array.from({ length: 4 }, (_, i) => box.lookup(i));
  if (!corners.every((corner) => corner instanceof PDFNumber)) return undefined;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = corners.map((corner) => corner.asNumber());
  if ([x1, y1, x2, y2].some((coordinate) => Math.abs(coordinate) > 10 * MAX_SIDE)) return undefined;
  return [Math.abs(x2 - x1), Math.abs(y2 - y1)];
}

function checkRotation(rotation: PDFObject | undefined): void {
  if (rotation === undefined) return;
  if (!(rotation instanceof PDFNumber) || rotation.asNumber() % 90 !== 0) {
    throw invalid(
      "The first page of the PDF is rotated by an angle that is not a multiple of 90 degrees: rotate it by 90 degrees, or not at all.",
    );
  }
}
