import { parentPort } from "node:worker_threads";
import { pngOf } from "#formats/badges/png.js";
import { lowerThread } from "#foundation/concurrency/lower-priority.js";
import { readyThread } from "#foundation/concurrency/thread-processor-time.js";

/** In pixels: the largest size that social networks show. */
const LONGER_SIDE = 1200;

/** In pixels. Social networks crop pictures with other proportions. */
const CARD = { width: 1200, height: 630, margin: 30 };
/** Red, green, blue and alpha of the background, which is darker than white paper. */
const CARD_COLOR = [0xd9, 0xdd, 0xe1, 0xff];

/** In pixels: one and a half times the displayed width. */
const EMAIL_WIDTH = 840;

/** The page alone, the page on a card (1.91 : 1) for social networks, or the page for an email. */
export type PictureShape = "page" | "card" | "mail";

export interface Rasterising {
  readonly pdf: Uint8Array;
  readonly shape: PictureShape;
}

/** The part of PDFium's module that is used here. The module is compiled to WebAssembly. */
interface Pdfium {
  readonly PDFiumLibrary: { init(): Promise<{ loadDocument(pdf: Uint8Array): Promise<PdfiumDocument> }> };
}

interface PdfiumDocument {
  getPage(index: number): {
    getOriginalSize(): { originalWidth: number; originalHeight: number };
    render(how: { scale: number; render: "bitmap" }): Promise<{
      width: number;
      height: number;
      /** Red, green, blue and alpha. */
      data: Uint8Array;
    }>;
  };
  destroy(): void;
}

export type Rasterised = { readonly png: Uint8Array } | { readonly error: unknown };

// TypeScript doesn't resolve a module whose name is a variable, so the build does not need the package's types.
const name: string = "@hyzyla/pdfium";
const { PDFiumLibrary } = (await import(name)) as Pdfium;
const pdfium = await PDFiumLibrary.init();
parentPort?.on("message", async (task: Rasterising) => parentPort?.postMessage(await outcomeOf(task)));
lowerThread();
parentPort?.postMessage(readyThread());

async function outcomeOf(task: Rasterising): Promise<Rasterised> {
  try {
    return { png: await firstPageOf(task) };
  } catch (error) {
    return { error };
  }
}

async function firstPageOf({ pdf, shape }: Rasterising): Promise<Uint8Array> {
  const document = await pdfium.loadDocument(pdf);
  try {
    const page = document.getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const { width, height, margin } = CARD;
    const scale = {
      page: LONGER_SIDE / Math.max(originalWidth, originalHeight),
      card: Math.min((width - 2 * margin) / originalWidth, (height - 2 * margin) / originalHeight),
      mail: EMAIL_WIDTH / Math.max(originalWidth, originalHeight),
    }[shape];
    const drawn = await page.render({ scale, render: "bitmap" });
    const picture = shape === "card" ? onCard(drawn) : drawn;
    return pngOf({ ...picture, rows: filtered(picture.data, 4 * picture.width) });
  } finally {
    document.destroy();
  }
}

/** Red, green, blue and alpha of each pixel, row by row. */
interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Puts a smaller picture in the middle of a card. */
function onCard({ width, height, data }: Bitmap): Bitmap {
  const card = new Uint8Array(4 * CARD.width * CARD.height);
  for (let at = 0; at < card.length; at += 4) card.set(CARD_COLOR, at);
  const [left, top] = [(CARD.width - width) >> 1, (CARD.height - height) >> 1];
  for (let row = 0; row < height; row++)
    card.set(data.subarray(4 * width * row, 4 * width * (row + 1)), 4 * ((top + row) * CARD.width + left));
  return { width: CARD.width, height: CARD.height, data: card };
}

/** Stores each row as its difference from the row above (PNG filter 2), which compresses documents well. */
function filtered(data: Uint8Array, rowBytes: number): Uint8Array {
  const height = data.length / rowBytes;
  const rows = new Uint8Array(height * (rowBytes + 1));
  for (let row = 0; row < height; row++) {
    const at = row * (rowBytes + 1);
    rows[at] = 2;
    for (let index = 0; index < rowBytes; index++) {
      const above = row === 0 ? 0 : (data[(row - 1) * rowBytes + index] ?? 0);
      rows[at + 1 + index] = ((data[row * rowBytes + index] ?? 0) - above) & 255;
    }
  }
  return rows;
}
