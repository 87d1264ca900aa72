import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Canvas, createCanvas, loadImage } from "@napi-rs/canvas";
import { expect } from "vitest";
import { drawPdf, shareOfChanged } from "./draw-pdf.js";

const golden = new URL("./golden/", import.meta.url);
const pixelsAPoint = 0.45;
/**
 * The difference of two pixels that counts as a change, and the share of pixels that may change. Rasterising varies
 * slightly between machines, but faint lines differ from the paper by less than a tenth of the range.
 */
const leastChange = 6;
export const tolerance = 0.001;

/** The directory with the pictures of the console's gallery. */
const gallery = new URL("../../src/console/types/design-pictures/", import.meta.url);
const quality = 88;
export const asWebp = (drawn: Canvas) => drawn.toBuffer("image/webp", quality);

/**
 * Compares a document with its stored picture. If there is no picture, it is written and the test fails. Check the
 * picture, then commit it.
 */
export async function expectGolden(name: string, bytes: Uint8Array): Promise<void> {
  const drawn = await drawPdf(bytes, pixelsAPoint);
  const file = new URL(`${name}.png`, golden);
  await expectPicture(drawn, file, (canvas) => canvas.toBuffer("image/png"));
}

/** Compares a document with the picture of its design in the console's gallery, in the same way as `expectGolden`. */
export async function expectInGallery(name: string, bytes: Uint8Array): Promise<void> {
  const drawn = await drawPdf(bytes, pixelsAPoint);
  await expectPicture(drawn, new URL(`${name}.webp`, gallery), asWebp);
}

/** Returns the share of pixels that differ from a stored picture. Both have lost the same details in encoding. */
export async function shareOfDifferent(
  drawn: Canvas,
  stored: Buffer,
  encode: (drawn: Canvas) => Buffer,
): Promise<number> {
  const [before, after] = await Promise.all([stored, encode(drawn)].map(pixelsOf));
  if (!before || !after) return 1;
  expect([after.width, after.height]).toEqual([before.width, before.height]);
  return shareOfChanged(before.data, after.data, leastChange);
}

async function expectPicture(drawn: Canvas, file: URL, encode: (drawn: Canvas) => Buffer): Promise<void> {
  if (!existsSync(file)) {
    writeFileSync(file, encode(drawn));
    expect.fail(`${fileURLToPath(file)} was missing; look at the one that has just been written`);
  }
  expect(await shareOfDifferent(drawn, readFileSync(file), encode)).toBeLessThan(tolerance);
}

async function pixelsOf(picture: Buffer) {
  const image = await loadImage(picture);
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, image.width, image.height);
}
