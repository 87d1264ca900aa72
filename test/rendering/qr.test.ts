import PDFDocument from "pdfkit";
import QRCode from "qrcode";
import { expect, test } from "vitest";
import { drawQr, qrMatrix } from "../../src/rendering/qr.js";

const url = "https://credentials.example.org/verify/8f14e45f-ceea-467f-a0e6-0c2f5e2e9a11/";

test("what is painted is the code of the URL, module for module", async () => {
  const { modules } = QRCode.create(url, { errorCorrectionLevel: "M" });
  const doc = new PDFDocument({ size: [modules.size, modules.size], margin: 0, font: "", compress: false });
  const chunks: Buffer[] = [];
  doc.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => doc.on("end", resolve));
  drawQr(doc, qrMatrix(url), 0, 0, modules.size);
  doc.end();
  await ended;

  const painted = new Uint8Array(modules.size * modules.size);
  for (const [, x, y, width] of Buffer.concat(chunks)
    .toString("latin1")
    .matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) [\d.]+ re$/gm)) {
    const start = Number(y) * modules.size + Number(x);
    painted.fill(1, start, start + Number(width));
  }
  expect(painted).toEqual(Uint8Array.from(modules.data));
});
