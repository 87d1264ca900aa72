import { onePage } from "../assets/inspection/make-pdf.js";

/** Returns a PDF of a few hundred bytes, like one issued by another system. Different texts give different files. */
export function issuedPdf(text: string): Buffer {
  return onePage({ catalog: `/Lang (en) /Label (${text.replace(/[()\\]/g, " ")})` });
}
