import { type PdfDictionary, PdfObject, pdfDate, pdfText } from "./pdf-object.js";

export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly description: string;
  readonly modified: Date;
  readonly bytes: Uint8Array;
}

/**
 * Returns the catalogue entries for an embedded file with the same contents as the document (an associated file;
 * PDF/A-3, 6.8). The file is not compressed, so that programs can find it in the plain bytes.
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
    F: pdfText(name),
    UF: pdfText(name),
    Desc: pdfText(description),
    AFRelationship: "/Alternative",
    EF: { F: file, UF: file },
  });
  return {
    AF: [specification],
    Names: { EmbeddedFiles: { Names: [pdfText(name), specification] } },
  };
}
