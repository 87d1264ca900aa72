import { type PdfDictionary, PdfObject, pdfDate, text } from "./pdf-object.js";

/** A file embedded in a document. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly description: string;
  readonly modified: Date;
  readonly bytes: Uint8Array;
}

/**
 * Returns the catalogue entries of a document with an embedded file that has the same contents as the document
 * (PDF/A-3, 6.8: an associated file). The file is not compressed, so that programs can find it in the plain bytes of
 * the document.
 */
export function associatedFile({ name, mediaType, description, modified, bytes }: Attachment): PdfDictionary {
  const file = new PdfObject(
    {
      Type: "/EmbeddedFile",
      Subtype: `/${mediaType.replace("/", "#2F")}`,
      Params: { ModDate: pdfDate(modified), Size: bytes.length },
    },
    bytes,
  );
  const specification = new PdfObject({
    Type: "/Filespec",
    F: text(name),
    UF: text(name),
    Desc: text(description),
    AFRelationship: "/Alternative",
    EF: { F: file, UF: file },
  });
  return {
    AF: [specification],
    Names: { EmbeddedFiles: { Names: [text(name), specification] } },
  };
}
