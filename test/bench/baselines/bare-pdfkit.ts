import * as fontkit from "fontkit";
import PDFDocument from "pdfkit";

/** Draws three centred texts on an empty page, with a font that is parsed once. */
export function createBarePdfkit(font: Buffer): (texts: readonly [string, number][]) => Promise<Buffer> {
  const shared = fontkit.create(font) as unknown as string; // pdfkit accepts parsed fonts, but its types do not.
  return (texts) =>
    new Promise((resolve) => {
      const document = new PDFDocument({ size: "A4", layout: "landscape", font: "" });
      const chunks: Buffer[] = [];
      document.on("data", (chunk) => chunks.push(chunk));
      document.on("end", () => resolve(Buffer.concat(chunks)));
      document.font(shared);
      texts.forEach(([text, size], line) => {
        document.fontSize(size).text(text, 0, 290 + line * 80, { align: "center" });
      });
      document.end();
    });
}
