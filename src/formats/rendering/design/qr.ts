import QRCode from "qrcode";
import type { Rgb } from "../pdf/color.js";
import { pdfNumber } from "../pdf/pdf-object.js";

// Any mask is valid, because a code states its mask. Trying all eight masks would take four times as long,
// and so would searching for the shortest mix of encodings. URLs use bytes anyway.
const mask = { maskPattern: 2 } as const;

/** Width of the light margin that scanners need around a code, in modules (ISO/IEC 18004). */
const quietZone = 4;

interface QrAppearance {
  /** Lower left corner, without the quiet zone. */
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly color: Rgb;
  /** Background of the code and its quiet zone; transparent if undefined. */
  readonly background: Rgb | undefined;
}

/** Returns the operators that draw a QR code, with error correction M (15 %), which is enough for a folded print. */
export function drawQr(words: string, { x, y, side, color, background }: QrAppearance): string {
  const segments = [{ data: Buffer.from(words), mode: "byte" } as const];
  const { modules } = QRCode.create(segments, { errorCorrectionLevel: "M", ...mask });
  const unit = pdfNumber(side / modules.size);
  const operators = [`${unit} 0 0 -${unit} ${pdfNumber(x)} ${pdfNumber(y + side)} cm`];
  if (background) {
    const outerSize = modules.size + 2 * quietZone;
    operators.push(fillOperator(background), `${-quietZone} ${-quietZone} ${outerSize} ${outerSize} re`, "f");
  }
  operators.push(fillOperator(color));
  for (let row = 0; row < modules.size; row++) {
    let column = 0;
    while (column < modules.size) {
      const start = column;
      while (column < modules.size && modules.get(row, column) === 1) column++;
      // Slightly taller than a module, to close the seams that some viewers show between rows.
      if (column > start) operators.push(`${start} ${row} ${column - start} 1.02 re`);
      else column++;
    }
  }
  return `${operators.join("\n")}\nf`;
}

function fillOperator(color: Rgb): string {
  return `${color.map(pdfNumber).join(" ")} rg`;
}
