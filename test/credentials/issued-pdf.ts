import { onePage } from "../assets/inspection/make-pdf.js";

/**
 * Returns a PDF of a few hundred bytes, as another system might have issued it. Another text makes it another
 * file.
 */
export function issuedPdf(text: string): Buffer {
  return onePage({ catalog: `/Lang (en) /Label (${text.replace(/[()\\]/g, " ")})` });
}
