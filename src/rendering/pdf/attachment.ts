import { type PdfDictionary, PdfObject, pdfDate, text } from "./pdf-object.js";

/** A file that a document carries. */
export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly description: string;
  readonly modified: Date;
  readonly bytes: Uint8Array;
}

/**
 * The catalog entries of a document that carries a file which says what the document says (PDF/A-3, 6.8: an associated file). The
 * file is not compressed: whoever looks for it needs nothing but the bytes of the document.
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
