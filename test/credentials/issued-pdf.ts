import { onePage } from "../assets/inspection/make-pdf.js";

/** A PDF as another system might have issued it, of a few hundred bytes; another text makes it another file. */
export function issuedPdf(text: string): Buffer {
  return onePage({ catalog: `/Lang (en) /Label (${text.replace(/[()\\]/g, " ")})` });
}
