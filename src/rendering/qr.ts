import QRCode from "qrcode";
import { pdfNumber } from "./pdf/pdf-object.js";

// Which mask a code has is in the code; trying all eight for the prettiest takes four times as long. So does looking for
// the shortest mix of encodings, which for a URL is bytes.
const mask = { maskPattern: 2 } as const;

/**
 * The path of a QR code, to be filled: the lower left corner of the code at (x, y). Error correction is level M (15 %),
 * enough for a print that was folded once. The caller keeps four modules free around it.
 */
export function qrPath(words: string, { x, y, side }: { x: number; y: number; side: number }): string {
  const segments = [{ data: Buffer.from(words), mode: "byte" } as const];
  const { modules } = QRCode.create(segments, { errorCorrectionLevel: "M", ...mask });
  const unit = pdfNumber(side / modules.size);
  const operators = [`${unit} 0 0 -${unit} ${pdfNumber(x)} ${pdfNumber(y + side)} cm`];
  for (let row = 0; row < modules.size; row++) {
    let column = 0;
    while (column < modules.size) {
      const start = column;
      while (column < modules.size && modules.get(row, column) === 1) column++;
      // A little higher than a module, which closes the seams that some viewers show between rows.
      if (column > start) operators.push(`${start} ${row} ${column - start} 1.02 re`);
      else column++;
    }
  }
  return `${operators.join("\n")}\nf`;
}
