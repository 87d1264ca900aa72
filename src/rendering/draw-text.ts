import type { TextBlock } from "./fit-text.js";

type Document = PDFKit.PDFDocument;

/**
 * Draws a block centred on `x`, its first baseline at `baseline`. Beneath lies the text itself, for who copies or
 * searches: glyphs alone give back Indic vowels and stacked marks in the order of drawing. Not under right-to-left
 * text, which poppler would turn round once more.
 */
export function drawCentred(doc: Document, block: TextBlock, x: number, baseline: number): void {
  if (!block.rightToLeft) doc.markContent("Span", { actual: block.text });
  block.lines.forEach((line, index) => {
    let left = x - (line.width * block.size) / 2;
    for (const run of line.runs) {
      // pdfkit keeps a font under its second argument; the first, a parsed font, its types don't know.
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
  if (!block.rightToLeft) doc.endMarkedContent();
}
