import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFObject as SourceObject,
} from "@cantoo/pdf-lib";
import { type PdfDictionary, PdfObject, PdfText, type PdfValue } from "./pdf-object.js";

/** Imports values from a parsed PDF. Each object is imported once, however often it is referenced. */
export type ImportValue = (source: SourceObject) => PdfValue;

// Dictionary entries that are not imported, because they refer to other parts of the document, or to its structure.
const leftBehind = new Set([
  "Parent",
  "StructParent",
  "StructParents",
  "Metadata",
  "PieceInfo",
  "Thumb",
  "AA",
]);

export function createImport(context: PDFContext): ImportValue {
  const taken = new Map<string, PdfObject>();

  function importValue(source: SourceObject): PdfValue {
    if (source instanceof PDFRef) return importReferred(source);
    if (source instanceof PDFString || source instanceof PDFHexString) return new PdfText(source.asBytes());
    if (source instanceof PDFArray) return source.asArray().map(importValue);
    if (source instanceof PDFDict) return importDictionary(source);
    if (source instanceof PDFStream) return importStream(source);
    return source.toString();
  }

  /** A reference to a missing object is null (ISO 32000, 7.3.10). */
  function importReferred(reference: PDFRef): PdfValue {
    const existing = taken.get(reference.tag);
    if (existing) return existing;
    const source = context.lookup(reference);
    if (source === undefined) return "null";
    if (source instanceof PDFStream) {
      const object = new PdfObject({}, source.getContents());
      taken.set(reference.tag, object);
      object.value = importDictionary(source.dict);
      return object;
    }
    const object = new PdfObject();
    taken.set(reference.tag, object);
    object.value = importValue(source);
    return object;
  }

  function importStream(source: PDFStream): PdfObject {
    return new PdfObject(importDictionary(source.dict), source.getContents());
  }

  function importDictionary(source: PDFDict): PdfDictionary {
    const entries: Record<string, PdfValue> = {};
    for (const [name, value] of source.entries()) {
      const key = name.toString().slice(1);
      if (key !== "Length" && !leftBehind.has(key)) entries[key] = importValue(value);
    }
    return entries;
  }

  return importValue;
}
