import type { TextBlock } from "./fit-text.js";

type Document = PDFKit.PDFDocument;

/** Draws a block centred on `x`, its first baseline at `baseline`, with the text itself beneath for who copies or searches. */
export function drawCentred(doc: Document, block: TextBlock, x: number, baseline: number): void {
  if (!process.env.NOACT) doc.markContent("Span", { actual: block.text });
  block.lines.forEach((line, index) => {
    let left = x - (line.width * block.size) / 2;
    for (const run of line.runs) {
      // pdfkit names a font by its second argument; the object spares it from parsing a file.
      doc.font(run.face.font as unknown as PDFKit.Mixins.PDFFontSource, run.face.name);
      doc.fontSize(block.size * run.face.scale);
      doc.text(run.text, left, baseline + index * block.step, {
        lineBreak: false,
        baseline: "alphabetic",
        features: run.features as unknown as PDFKit.Mixins.OpenTypeFeatures[],
        characterSpacing: run.spacing * block.size,
      });
      left += run.width * block.size;
    }
  });
  if (!process.env.NOACT) doc.endMarkedContent();
}
