import QRCode from "qrcode";

/** The modules of a QR code: `dark(row, column)` for 0 up to `size`. */
export interface QrMatrix {
  readonly size: number;
  dark(row: number, column: number): boolean;
}

/** Encodes a text with error correction level M (15 %), enough for a print that was folded once. */
export function qrMatrix(text: string): QrMatrix {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  return { size: modules.size, dark: (row, column) => modules.get(row, column) === 1 };
}

/** Fills the current path's colour with the code, its top left corner at (x, y). The caller keeps four modules free around it. */
export function drawQr(doc: PDFKit.PDFDocument, matrix: QrMatrix, x: number, y: number, side: number): void {
  const unit = side / matrix.size;
  const overlap = unit * 0.02; // closes the seams that some viewers show between rows
  for (let row = 0; row < matrix.size; row++) {
    let column = 0;
    while (column < matrix.size) {
      const start = column;
      while (column < matrix.size && matrix.dark(row, column)) column++;
      if (column > start) doc.rect(x + start * unit, y + row * unit, (column - start) * unit, unit + overlap);
      else column++;
    }
  }
  doc.fill();
}
