import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import { flate, onePage } from "../assets/inspection/make-pdf.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { givenDirectory } from "../support/directory.js";
import { ada } from "./ada.js";
import { shareOfChanged } from "./draw-pdf.js";
import { bytesOf, missingTools, outputOf } from "./pdf-tools.js";
import { asset } from "./templates.js";

const executable = findChromium();
const missing = await missingTools("pdftoppm", "qpdf");
const directory = givenDirectory("foreign");

/** Prints a page with Chromium. Each edge of the page has another colour and width. */
async function printed(): Promise<Buffer> {
  const browser = await launchChromium(executable as string);
  try {
    const page = await browser.newPage();
    await page.setContent(`<style>@page { size: 297mm 210mm; margin: 0 } body { margin: 0; height: 209mm; border: solid;
      border-width: 4mm 8mm 12mm 16mm; border-color: red green blue orange; box-sizing: border-box; opacity: 0.8 }</style>
      <h1>Universität Nordhafen</h1>`);
    return await page.pdf({ preferCSSPageSize: true, printBackground: true });
  } finally {
    await browser.close();
  }
}

/** Rotates a file with qpdf, which also rewrites it with object streams. */
async function turned(bytes: Buffer, by: number): Promise<Buffer> {
  const [from, to] = [join(directory, "from.pdf"), join(directory, "to.pdf")];
  writeFileSync(from, bytes);
  await outputOf("qpdf", from, `--rotate=+${by}`, "--object-streams=generate", to);
  return readFile(to);
}

async function cropped(bytes: Buffer): Promise<Buffer> {
  const document = await PDFDocument.load(bytes);
  document.getPage(0).setCropBox(30, 20, 500, 400);
  return Buffer.from(await document.save());
}

/** A page with two layers. One of them is hidden unless the reader shows it. */
function layered(): Buffer {
  const drawing =
    "/OC /Seen BDC 1 0 0 rg 100 100 300 200 re f EMC /OC /Hidden BDC 0 0 1 rg 300 200 300 300 re f EMC";
  return onePage({
    catalog:
      "/OCProperties << /OCGs [5 0 R 6 0 R] /D << /BaseState /ON /OFF [6 0 R] /Order [5 0 R 6 0 R] >> >>",
    page: "/Resources << /Properties << /Seen 5 0 R /Hidden 6 0 R >> >>",
    content: flate(drawing),
    more: ["<< /Type /OCG /Name (Seen) >>", "<< /Type /OCG /Name (Hidden) >>"],
  });
}

/** Returns the picture that a PDF reader displays, with one pixel per point. */
async function seen(bytes: Uint8Array) {
  const file = join(directory, "seen.pdf");
  writeFileSync(file, bytes);
  const image = await loadImage(
    await bytesOf("pdftoppm", "-cropbox", "-png", "-singlefile", "-r", "72", file),
  );
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { width: image.width, height: image.height, data };
}

describe.skipIf(executable === undefined || missing.length > 0)("a page of another program", () => {
  test.each<[string, () => Promise<Buffer>]>([
    ["as Chromium prints it", printed],
    ["turned by qpdf", async () => turned(await printed(), 90)],
    ["cropped", async () => cropped(await printed())],
    ["cropped, then turned upside down", async () => turned(await cropped(await printed()), 180)],
    ["turned, and cropped askew", async () => cropped(await turned(await printed(), 270))],
    ["with a hidden layer", async () => layered()],
  ])("%s is placed as it appears there", async (_how, make) => {
    const bytes = await make();
    const nothing = { text_elements: { name: false, context: false, date: false } };
    const assets = new Map([["page", asset("pdf", bytes)]]);
    const document = await pdfCredentialGenerator.render(ada, { template: "page", ...nothing }, assets);
    const [theirs, ours] = [await seen(bytes), await seen(document)];
    expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height]);
    expect(shareOfChanged(ours.data, theirs.data)).toBeLessThan(0.001);
    const blank = new Uint8ClampedArray(theirs.data.length).fill(255);
    expect(shareOfChanged(theirs.data, blank)).toBeGreaterThan(0.02);
  });
});
