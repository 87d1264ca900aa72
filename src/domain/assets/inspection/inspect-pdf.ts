import { PDFArray, type PDFDict, PDFDocument, PDFName, type PDFObject, PDFRawStream } from "@cantoo/pdf-lib";
import { importPage } from "#formats/rendering/pdf/import-page.js";
import { invalid } from "#foundation/errors.js";
import { refuseActiveContent } from "./pdf-active-content.js";
import { checkPdfBytes, isReadablyEncrypted } from "./pdf-bytes.js";
import { checkImage, createDrawingCheck } from "./pdf-drawing.js";
import { checkFilters, createInflation, decodeTextual, type Inflation } from "./pdf-filters.js";
import { findFirstPage, findOtherPages, type MeasuredPage } from "./pdf-first-page.js";
import { saveAgainAs } from "./remedies.js";

const MAX_OBJECTS = 100_000;
/**
 * Maximum size of the first page's decompressed content, in bytes. Maps and fine engravings have a few million bytes.
 */
const MAX_CONTENT = 16 * 1024 * 1024;

const SAVE_AGAIN = saveAgainAs("PDF");

/**
 * Checks that the first page can be used as a template, and that the file contains only content that a credential may
 * contain.
 * @throws Problem `invalid`
 */
export async function inspectPdf(bytes: Buffer): Promise<void> {
  checkPdfBytes(bytes);
  const document = await open(bytes);
  const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
  if (objects.length > MAX_OBJECTS) {
    throw invalid(
      `The PDF has ${objects.length} objects; at most ${MAX_OBJECTS} are accepted: print it to a new PDF.`,
    );
  }
  refuseActiveContent(objects);
  const unpack = createUnpacking();
  checkImages(objects, unpack);
  const page = findFirstPage(document);
  const contents = contentsOf(page, unpack);
  if (contents === undefined)
    throw invalid("The first page of the PDF is empty: upload one with a design on it.");
  createDrawingCheck(unpack)({ ...page, contents });
  await tryPage(bytes);
}

/**
 * Checks that a document is readable, has no active content, and is easy to draw for a viewer. The whole file is
 * checked, because it is served unchanged. It may be encrypted if it opens without a password.
 * @throws Problem `invalid`
 */
export async function inspectDocument(original: Buffer): Promise<void> {
  const bytes = isReadablyEncrypted(original) ? await decrypt(original) : original;
  checkPdfBytes(bytes);
  const document = await open(bytes);
  const first = findFirstPage(document); // throws if there is no page, unlike pdf-lib
  const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
  refuseActiveContent(objects, { admitsSignatures: true });
  const unpack = createUnpacking();
  checkImages(objects, unpack);
  const checkDrawing = createDrawingCheck(unpack);
  for (const page of [first, ...findOtherPages(document)]) {
    checkDrawing({ ...page, contents: contentsOf(page, unpack) ?? [] });
  }
  // Checks all forms, because the forms of an annotation are not referred to by any content stream.
  for (const form of objects) {
    if (form instanceof PDFRawStream && form.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Form"))
      checkDrawing({ ...first, contents: [form] });
  }
}

function checkImages(objects: readonly PDFObject[], unpack: Unpack): void {
  for (const object of objects) {
    if (!(object instanceof PDFRawStream)) continue;
    const packedAsImage = filtersOf(object.dict).some((name) => !/^(?:ASCII|Flate)/.test(name));
    checkImage(object, unpack(object), packedAsImage);
  }
}

async function open(bytes: Buffer): Promise<PDFDocument> {
  try {
    return await PDFDocument.load(bytes, { throwOnInvalidObject: true, updateMetadata: false });
  } catch (error) {
    throw invalid(`The PDF is broken, and can't be read. ${SAVE_AGAIN}`, error);
  }
}

/**
 * Decrypts a file that opens without a password, for example one that forbids copying.
 * @throws Problem `invalid` if the file requires a password
 */
async function decrypt(bytes: Buffer): Promise<Buffer> {
  let document: PDFDocument;
  try {
    document = await PDFDocument.load(bytes, {
      password: "",
      throwOnInvalidObject: true,
      updateMetadata: false,
    });
  } catch (error) {
    throw invalid(
      "The PDF can't be opened without a password: save it without one, and upload the new file.",
      error,
    );
  }
  delete document.context.trailerInfo.Encrypt;
  return Buffer.from(
    await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }),
  );
}

/** Returns the decompressed data of a stream. An image is still encoded by the image's own filter. */
type Unpack = (stream: PDFRawStream) => Uint8Array;

/** Creates a function that decompresses streams. It caches up to `MAX_CONTENT` bytes of results. */
function createUnpacking(): Unpack {
  const first = createInflation();
  const repeatedInflation = createInflation();
  const seen = new Set<PDFRawStream>();
  const decoded = new Map<PDFRawStream, Uint8Array>();
  let room = MAX_CONTENT;
  return (stream) => {
    const before = decoded.get(stream);
    if (before) return before;
    const data = unpackWith(stream, seen.has(stream) ? repeatedInflation : first);
    seen.add(stream);
    // images are not cached, because each is read only once
    const isImage = stream.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Image");
    if (!isImage && data.length <= room) {
      room -= data.length;
      decoded.set(stream, data);
    }
    return data;
  };
}

function unpackWith({ dict, contents }: PDFRawStream, inflation: Inflation): Uint8Array {
  const names = filtersOf(dict);
  checkFilters(names);
  let data = contents;
  for (const name of names) {
    if (name.startsWith("ASCII")) data = decodeTextual(name, data) ?? refuseText(name);
    if (name === "FlateDecode" && data.length > 0) data = inflation.inflate(data);
  }
  return data;
}

function filtersOf(dict: PDFDict): string[] {
  const filter = dict.lookup(PDFName.of("Filter"));
  if (filter === undefined) return [];
  const names =
    filter instanceof PDFArray ? filter.asArray().map((item) => dict.context.lookup(item)) : [filter];
  return names.map((name) => (name instanceof PDFName ? name.decodeText() : "unknown"));
}

function refuseText(name: string): never {
  throw invalid(`The PDF is damaged: a part encoded as ${name} can't be read. ${SAVE_AGAIN}`);
}

function contentsOf({ dict }: MeasuredPage, unpack: Unpack): PDFRawStream[] | undefined {
  const contents = dict.lookup(PDFName.of("Contents"));
  if (contents === undefined) return undefined;
  const streams: (PDFObject | undefined)[] =
    contents instanceof PDFArray ? contents.asArray().map((part) => dict.context.lookup(part)) : [contents];
  let length = 0;
  return streams.map((stream) => {
    if (!(stream instanceof PDFRawStream)) throw invalid(`A page of the PDF is broken. ${SAVE_AGAIN}`);
    length += unpack(stream).length;
    if (length > MAX_CONTENT) {
      throw invalid(
        `A page of the PDF contains more than ${MAX_CONTENT / 1024 / 1024} MiB of drawing commands: simplify it.`,
      );
    }
    return stream;
  });
}

/** Imports the page as a template, so that any fault of the page is reported when it is uploaded. */
async function tryPage(bytes: Buffer): Promise<void> {
  try {
    await importPage(bytes);
  } catch (error) {
    throw invalid(
      `The first page of the PDF can't be copied: its parts are broken, or nested too deeply. ${SAVE_AGAIN}`,
      error,
    );
  }
}
