import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Canvas, createCanvas, loadImage } from "@napi-rs/canvas";
import { expect } from "vitest";
import { drawPdf, shareOfChanged } from "./draw-pdf.js";

const golden = new URL("./golden/", import.meta.url);
const pixelsAPoint = 0.45;
/** The share of pixels that may differ strongly. Rasterising varies slightly between machines. */
const tolerance = 0.001;

/** The directory with the pictures of the console's gallery. */
const gallery = new URL("../../src/console/types/design-pictures/", import.meta.url);
const quality = 88;

/**
 * Compares a document with its stored picture. If there is no picture, it is written and the test fails. Check the
 * picture, then commit it.
 */
export async function expectGolden(name: string, bytes: Uint8Array): Promise<void> {
  const drawn = await drawPdf(bytes, pixelsAPoint);
  const file = new URL(`${name}.png`, golden);
  await expectPicture(drawn, file, () => drawn.toBuffer("image/png"));
}

/** Compares a document with the picture of its design in the console's gallery, in the same way as `expectGolden`. */
export async function expectInGallery(name: string, bytes: Uint8Array): Promise<void> {
  const drawn = await drawPdf(bytes, pixelsAPoint);
  const file = new URL(`${name}.webp`, gallery);
  await expectPicture(drawn, file, () => drawn.toBuffer("image/webp", quality));
}

async function expectPicture(drawn: Canvas, file: URL, encode: () => Buffer): Promise<void> {
  if (!existsSync(file)) {
    writeFileSync(file, encode());
    expect.fail(`${fileURLToPath(file)} was missing; look at the one that has just been written`);
  }
  const expected = await loadImage(readFileSync(file));
  expect([drawn.width, drawn.height]).toEqual([expected.width, expected.height]);
  const canvas = createCanvas(expected.width, expected.height);
  const context = canvas.getContext("2d");
  context.drawImage(expected, 0, 0);
  const before = context.getImageData(0, 0, canvas.width, canvas.height).data;
  const after = drawn.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  expect(shareOfChanged(before, after)).toBeLessThan(tolerance);
}
