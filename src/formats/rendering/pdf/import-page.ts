import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFFlateStream,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFRawStream,
  PDFStream,
  PDFString,
  type PDFObject as SourceObject,
} from "@cantoo/pdf-lib";
import { invalid, Problem } from "#foundation/errors.js";
import { deflated } from "./embedded-font.js";
import { createImport, type ImportValue } from "./import-objects.js";
import type { PageSize } from "./marks.js";
import type { Matrix, Paper } from "./paper.js";
import { type PdfDictionary, PdfObject, type PdfValue } from "./pdf-object.js";

const linkEntries = ["Type", "Subtype", "Rect", "Border", "BS", "C", "H", "QuadPoints", "Contents"] as const;
const boxes = ["CropBox", "BleedBox", "TrimBox", "ArtBox"] as const;

/**
 * Imports the first page of an institution's PDF as paper. The page's content becomes a form without changes. The
 * page's boxes, rotation and web links are kept. Form fields, scripts, other annotations and structure are left out.
 * @throws Problem `invalid` if the PDF can't be read
 */
export async function importPage(bytes: Uint8Array): Promise<Paper> {
  try {
    return paperOf(await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true }));
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw invalid(
      `The PDF template can't be read: ${cause instanceof Error ? cause.message : cause}.`,
      cause,
    );
  }
}

function paperOf(source: PDFDocument): Paper {
  const page = source.getPages()[0];
  if (!page) throw invalid("The PDF template has no page.");
  const importValue = createImport(source.context);
  const media = rectangleOf(page, "MediaBox") ?? [0, 0, 612, 792];
  const shown = intersection(media, rectangleOf(page, "CropBox") ?? media);
  const rotation = ((page.getRotation().angle % 360) + 360) % 360;
  const unit = numberOf(page.node.lookup(PDFName.of("UserUnit"))) ?? 1;
  const { matrix, size } = displaySizeOf(shown, rotation, unit);
  const boxRectangles = boxes.map((name) => [name, rectangleOf(page, name)] as const);

  return {
    ...size,
    matrix,
    entries: {
      MediaBox: media,
      ...Object.fromEntries(boxRectangles.filter(([, box]) => box !== undefined)),
      ...(rotation === 0 ? {} : { Rotate: rotation }),
      ...(unit === 1 ? {} : { UserUnit: unit }),
      Group: imported(page, "Group", importValue),
    },
    background: { category: "XObject", name: "Template", object: formOf(page, media, importValue) },
    annotations: webLinks(page, importValue),
    catalogEntries: catalogEntriesOf(source, importValue),
    archival: false, // the PDF may claim to be PDF/A, but the claim isn't checked
  };
}

export function formOf(page: PDFPage, box: readonly number[], importValue: ImportValue): PdfObject {
  const entries: PdfDictionary = {
    Type: "/XObject",
    Subtype: "/Form",
    BBox: box,
    Resources: imported(page, "Resources", importValue) ?? {},
    Group: imported(page, "Group", importValue),
  };
  const streams = contentStreams(page);
  const [only] = streams;
  if (streams.length === 1 && only instanceof PDFRawStream) {
    const filters = Object.fromEntries(
      ["Filter", "DecodeParms"].flatMap((name) => {
        const value = only.dict.get(PDFName.of(name));
        return value ? [[name, importValue(value)]] : [];
      }),
    );
    return new PdfObject({ ...entries, ...filters }, only.getContents());
  }
  const content = Buffer.concat(streams.flatMap((stream) => [decoded(stream), Buffer.from("\n")]));
  const { value, data } = deflated(content);
  return new PdfObject({ ...entries, ...(value as PdfDictionary) }, data);
}

function contentStreams(page: PDFPage): PDFStream[] {
  const contents = page.node.Contents();
  if (contents instanceof PDFStream) return [contents];
  if (!(contents instanceof PDFArray)) return [];
  return Array.from({ length: contents.size() }, (_, index) => contents.lookup(index)).filter(
    (stream) => stream instanceof PDFStream,
  );
}

function decoded(stream: PDFStream): Uint8Array {
  if (stream instanceof PDFRawStream) return decodePDFRawStream(stream).decode();
  return stream instanceof PDFFlateStream ? stream.getUnencodedContents() : stream.getContents();
}

/**
 * Returns the size at which a page with this clockwise rotation is displayed, and the matrix from display to content.
 */
function displaySizeOf(
  [left = 0, bottom = 0, right = 0, top = 0]: readonly number[],
  rotation: number,
  unit: number,
): { matrix: Matrix; size: PageSize } {
  const [width, height] = [(right - left) * unit, (top - bottom) * unit];
  const scale = 1 / unit;
  const upright = { width, height };
  const turned = { width: height, height: width };
  if (rotation === 90) return { matrix: [0, scale, -scale, 0, right, bottom], size: turned };
  if (rotation === 180) return { matrix: [-scale, 0, 0, -scale, right, top], size: upright };
  if (rotation === 270) return { matrix: [0, -scale, scale, 0, left, top], size: turned };
  return { matrix: [scale, 0, 0, scale, left, bottom], size: upright };
}

function webLinks(page: PDFPage, importValue: ImportValue): PdfObject[] {
  const annotations = page.node.Annots();
  if (!annotations) return [];
  return Array.from({ length: annotations.size() }, (_, index) => annotations.lookup(index)).flatMap(
    (annotation) => {
      if (!(annotation instanceof PDFDict)) return [];
      const action = annotation.lookup(PDFName.of("A"));
      const isLink = annotation.lookup(PDFName.of("Subtype")) === PDFName.of("Link");
      if (!isLink || !(action instanceof PDFDict) || action.lookup(PDFName.of("S")) !== PDFName.of("URI"))
        return [];
      const uri = action.lookup(PDFName.of("URI"));
      if (!leadsToWeb(uri)) return [];
      const entries = linkEntries.flatMap((name) => {
        const value = annotation.get(PDFName.of(name));
        return value ? [[name, importValue(value)] as const] : [];
      });
      const onlyUri = { Type: "/Action", S: "/URI", URI: importValue(uri) };
      return [new PdfObject({ ...Object.fromEntries(entries), A: onlyUri, F: 4 })];
    },
  );
}

/** Returns whether a link leads to the web. Links to files and scripts are not allowed in a credential. */
function leadsToWeb(uri: SourceObject | undefined): uri is PDFString | PDFHexString {
  return (
    (uri instanceof PDFString || uri instanceof PDFHexString) && /^(?:https?|mailto):/i.test(uri.decodeText())
  );
}

/** Imports the layers (optional content) to which page content refers. */
function catalogEntriesOf(source: PDFDocument, importValue: ImportValue): PdfDictionary {
  const layers = source.catalog.get(PDFName.of("OCProperties"));
  return layers ? { OCProperties: importValue(layers) as PdfValue } : {};
}

function imported(page: PDFPage, name: string, importValue: ImportValue): PdfValue | undefined {
  const value: SourceObject | undefined = page.node.getInheritableAttribute(PDFName.of(name));
  return value && importValue(value);
}

function rectangleOf(page: PDFPage, name: string): number[] | undefined {
  const inherited = page.node.getInheritableAttribute(PDFName.of(name));
  const box = inherited && page.doc.context.lookup(inherited);
  if (!(box instanceof PDFArray) || box.size() !== 4) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((index) => numberOf(box.lookup(index)) ?? 0);
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

function numberOf(value: SourceObject | undefined): number | undefined {
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

function intersection(one: readonly number[], other: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = one;
  const [e = 0, f = 0, g = 0, h = 0] = other;
  const box = [Math.max(a, e), Math.max(b, f), Math.min(c, g), Math.min(d, h)];
  return (box[0] ?? 0) < (box[2] ?? 0) && (box[1] ?? 0) < (box[3] ?? 0) ? box : [...one];
}
