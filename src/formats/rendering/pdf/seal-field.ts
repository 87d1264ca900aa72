import type { SealSlot } from "../generator.js";
import type { SignaturePlaceholder } from "./pdf-file.js";
import { type PdfDictionary, PdfObject, pdfDate, pdfText } from "./pdf-object.js";

/** The parts of a seal in a PDF. */
interface SealField {
  /** An invisible annotation on the page. */
  readonly field: PdfObject;
  readonly catalogEntries: PdfDictionary;
  readonly signaturePlaceholder: SignaturePlaceholder;
}

/**
 * Returns the field of a seal (ISO 32000, 12.8; PAdES, EN 319 142-1). The seal allows no changes to the document. The
 * field doesn't name the signer, because the seal's certificate does.
 */
export function sealField({ at, room }: SealSlot, page: PdfObject): SealField {
  const signature = new PdfObject({
    Type: "/Sig",
    Filter: "/Adobe.PPKLite",
    SubFilter: "/ETSI.CAdES.detached",
    M: pdfDate(at),
    Reference: [
      {
        Type: "/SigRef",
        TransformMethod: "/DocMDP",
        TransformParams: { Type: "/TransformParams", P: 1, V: "/1.2" },
      },
    ],
  });
  const field = new PdfObject({
    Type: "/Annot",
    Subtype: "/Widget",
    FT: "/Sig",
    T: pdfText("Seal"),
    V: signature,
    F: 132, // annotation flags "Print" and "Locked"
    Rect: [0, 0, 0, 0],
    P: page,
  });
  return {
    field,
    catalogEntries: { AcroForm: { SigFlags: 3, Fields: [field] }, Perms: { DocMDP: signature } },
    signaturePlaceholder: { signature, room },
  };
}
