import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { RenderParameters } from "pdfjs-dist/types/src/display/api.js";

/** Draws the first page of a PDF with pdf.js. @param scale pixels per point */
export async function drawPdf(bytes: Uint8Array, scale: number): Promise<Canvas> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const page = await document.getPage(1);
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
  const canvasContext = canvas.getContext("2d");
  await page.render({
    canvas: null,
    canvasContext: canvasContext as unknown as RenderParameters["canvasContext"],
    viewport,
  }).promise;
  await document.destroy();
  return canvas;
}

/** Returns the share of pixels whose green values differ by more than `least`: by default, a quarter of the range. */
export function shareOfChanged(before: Uint8ClampedArray, after: Uint8ClampedArray, least = 64): number {
  let changed = 0;
  for (let index = 1; index < before.length; index += 4) {
    if (Math.abs((before[index] ?? 0) - (after[index] ?? 0)) > least) changed++;
  }
  return (4 * changed) / before.length;
}
