import { parentPort } from "node:worker_threads";
import { pngOf } from "#formats/badges/png.js";
import { lowerThread } from "#foundation/concurrency/lower-priority.js";
import { readyThread } from "#foundation/concurrency/thread-processor-time.js";

/** The longer side of a picture, in pixels: as wide as networks show one at most. */
const LONGER_SIDE = 1200;

/** PDFium, compiled to WebAssembly: as much of its module as is used. */
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

/** What a thread answers to a PDF. */
export type Rasterised = { readonly png: Uint8Array } | { readonly error: unknown };

// The types of the package are not needed to build the service.
const name: string = "@hyzyla/pdfium";
const { PDFiumLibrary } = (await import(name)) as Pdfium;
const pdfium = await PDFiumLibrary.init();
parentPort?.on("message", async (pdf: Uint8Array) => parentPort?.postMessage(await outcomeOf(pdf)));
lowerThread();
parentPort?.postMessage(readyThread());

async function outcomeOf(pdf: Uint8Array): Promise<Rasterised> {
  try {
    return { png: await firstPageOf(pdf) };
  } catch (error) {
    return { error };
  }
}

async function firstPageOf(pdf: Uint8Array): Promise<Uint8Array> {
  const document = await pdfium.loadDocument(pdf);
  try {
    const page = document.getPage(0);
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const scale = LONGER_SIDE / Math.max(originalWidth, originalHeight);
    const { width, height, data } = await page.render({ scale, render: "bitmap" });
    return pngOf({ width, height, rows: filtered(data, 4 * width) });
  } finally {
    document.destroy();
  }
}

/** Puts before each row that it tells the difference to the row above (filter 2), which papers make small. */
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
