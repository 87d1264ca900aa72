import { type Canvas, createCanvas, ImageData, loadImage } from "@napi-rs/canvas";

/**
 * The amount of ink at each pixel of a picture, row by row, from 0 (none) to 255 (full). The picture is cropped to its
 * ink.
 */
export interface Ink {
  readonly width: number;
  readonly height: number;
  readonly values: Uint8Array;
}

/** The differences between two pictures of the same text, as shares from 0 to 1. */
export interface Difference {
  /** Difference of the widths at equal height. */
  readonly width: number;
  /** The share of the ink of both pictures that is not near any ink of the other picture. */
  readonly stray: number;
  /** The largest such share in any square window of the picture. Its side is a third of the picture's height. */
  readonly worst: number;
}

/**
 * A pixel counts as ink if its value is at least `full`. When looking for ink near it in the other picture, fainter
 * pixels count too, from `faint`.
 */
const full = 128;
const faint = 48;

/** Reads the red ink of a picture in the PPM format (P6) that pdftoppm writes. */
export function redInkOfPpm(ppm: Buffer): Ink {
  const [header = "", width = "", height = ""] =
    /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.subarray(0, 40).toString("latin1")) ?? [];
  const pixels = ppm.subarray(header.length);
  return cut(Number(width), Number(height), (index) => redness(pixels, 3 * index));
}

export async function redInkOfPng(png: Buffer): Promise<Ink> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return cut(image.width, image.height, (index) => redness(data, 4 * index));
}

/** Compares two pictures of a text, whatever their sizes. */
export function compareInk(ours: Ink, theirs: Ink): Difference {
  const width = Math.abs((ours.width * theirs.height) / ours.height / theirs.width - 1);
  const fitted = scale(ours, theirs.width, theirs.height);
  const reach = Math.max(1, Math.round(theirs.height / 50));
  const strays = [strayOf(fitted, theirs, reach), strayOf(theirs, fitted, reach)];
  const ink = strays.reduce((sum, { total }) => sum + total, 0);
  const stray = strays.reduce((sum, { alone }) => sum + sumOf(alone), 0) / ink;
  return { width, stray, worst: Math.max(...strays.map((each) => worstWindow(each, theirs))) };
}

/** Draws two pictures above each other, for inspection: ours in red, theirs in blue, then both in one. */
export function sheetOf(ours: Ink, theirs: Ink): Canvas {
  const sheet = createCanvas(theirs.width, 3 * theirs.height + 20);
  const context = sheet.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.globalCompositeOperation = "multiply";
  const fitted = scale(ours, theirs.width, theirs.height);
  for (const [ink, color, tops] of [
    [fitted, [255, 0, 0], [0, 2 * theirs.height + 20]],
    [theirs, [0, 0, 255], [theirs.height + 10, 2 * theirs.height + 20]],
  ] as const) {
    for (const top of tops) context.drawImage(painted(ink, color), 0, top);
  }
  return sheet;
}

function redness(pixels: Uint8Array | Uint8ClampedArray, at: number): number {
  return Math.max(0, (pixels[at] ?? 0) - Math.max(pixels[at + 1] ?? 0, pixels[at + 2] ?? 0));
}

function cut(width: number, height: number, inkAt: (index: number) => number): Ink {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (inkAt(y * width + x) < full) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  if (right < 0) throw new Error("The picture has no red ink.");
  const size = { width: right - left + 1, height: bottom - top + 1 };
  const values = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      values[y * size.width + x] = inkAt((top + y) * width + left + x);
    }
  }
  return { ...size, values };
}

function painted(
  { width, height, values }: Ink,
  [red, green, blue]: readonly [number, number, number],
): Canvas {
  const canvas = createCanvas(width, height);
  const image = new ImageData(width, height);
  values.forEach((value, index) => {
    image.data.set([red, green, blue, value], 4 * index);
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

function scale(ink: Ink, width: number, height: number): Ink {
  const context = createCanvas(width, height).getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(painted(ink, [0, 0, 0]), 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return {
    width,
    height,
    values: Uint8Array.from({ length: width * height }, (_, index) => data[4 * index + 3] ?? 0),
  };
}

interface Stray {
  /** 1 where there is ink. */
  readonly inked: Uint8Array;
  /** 1 where there is ink, and the other picture has none near it. */
  readonly alone: Uint8Array;
  readonly total: number;
}

function strayOf({ width, height, values }: Ink, other: Ink, reach: number): Stray {
  const near = spread(other, reach);
  const inked = Uint8Array.from(values, (value) => (value >= full ? 1 : 0));
  const alone = inked.map((value, index) => (value && !near[index] ? 1 : 0));
  if (near.length !== width * height) throw new Error("The pictures differ in size.");
  return { inked, alone, total: sumOf(inked) };
}

/** Returns 1 for every pixel that is at most `reach` pixels from ink, horizontally and vertically, and 0 for others. */
function spread({ width, height, values }: Ink, reach: number): Uint8Array {
  const across = new Uint8Array(values.length);
  const both = new Uint8Array(values.length);
  for (let index = 0; index < values.length; index++) {
    if ((values[index] ?? 0) < faint) continue;
    const x = index % width;
    across.fill(1, index - Math.min(reach, x), index + Math.min(reach, width - 1 - x) + 1);
  }
  for (let index = 0; index < values.length; index++) {
    if (across[index] !== 1) continue;
    const y = Math.floor(index / width);
    for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row++) {
      both[row * width + (index % width)] = 1;
    }
  }
  return both;
}

/** Returns the greatest share of a window that is stray ink. */
function worstWindow({ alone }: Stray, { width, height }: Ink): number {
  const side = Math.max(4, Math.round(height / 3));
  const step = Math.max(1, side >> 1);
  let worst = 0;
  for (let top = 0; top < height; top += step) {
    for (let left = 0; left < width; left += step) {
      let sum = 0;
      for (let y = top; y < Math.min(height, top + side); y++) {
        for (let x = left; x < Math.min(width, left + side); x++) sum += alone[y * width + x] ?? 0;
      }
      worst = Math.max(worst, sum / side ** 2);
    }
  }
  return worst;
}

function sumOf(values: Uint8Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
