import { PDFDocument, type PDFImage } from "@cantoo/pdf-lib";
import { invalid } from "#foundation/errors.js";
import type { LoadedAsset } from "../generator.js";
import { createImport } from "./import-objects.js";
import { formOf } from "./import-page.js";
import type { PageSize } from "./marks.js";
import { PdfObject } from "./pdf-object.js";

/** A drawable object, with its size in its own units. */
export interface DrawablePicture extends PageSize {
  readonly object: PdfObject;
  /** Size of the object in content units: 1 for an image, its own size for a form. */
  readonly drawn: PageSize;
}

/** @throws Problem `invalid` if the picture can't be read */
export async function importPicture(asset: LoadedAsset): Promise<DrawablePicture> {
  try {
    const document = await PDFDocument.create({ updateMetadata: false });
    if (asset.kind === "svg") return drawSvg(document, asset.bytes);
    const image =
      asset.kind === "png" ? await document.embedPng(asset.bytes) : await document.embedJpg(asset.bytes);
    return await importImage(document, image);
  } catch (cause) {
    throw invalid(`The picture can't be read: ${cause instanceof Error ? cause.message : cause}.`, cause);
  }
}

async function importImage(document: PDFDocument, image: PDFImage): Promise<DrawablePicture> {
  await image.embed();
  const object = createImport(document.context)(image.ref);
  if (!(object instanceof PdfObject)) throw new Error("it contains no image");
  return { object, width: image.width, height: image.height, drawn: { width: 1, height: 1 } };
}

function drawSvg(document: PDFDocument, bytes: Uint8Array): DrawablePicture {
  const svg = Buffer.from(bytes).toString("utf8");
  // The font of the SVG's text would not be embedded.
  if (/<text[\s>]/.test(svg)) throw new Error("it contains text, which must be converted to paths");
  const { width, height } = svgSize(svg);
  const page = document.addPage([width, height]);
  page.drawSvg(svg, { x: 0, y: height, width, height });
  const object = formOf(page, [0, 0, width, height], createImport(document.context));
  return { object, width, height, drawn: { width, height } };
}

function svgSize(svg: string): PageSize {
  const root = /<svg\b[^>]*>/.exec(svg)?.[0] ?? "";
  const [, , width, height] =
    /\bviewBox\s*=\s*["']([^"']+)/
      .exec(root)?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const attribute = (name: string) =>
    Number.parseFloat(new RegExp(`\\s${name}\\s*=\\s*["']([\\d.]+)`).exec(root)?.[1] ?? "");
  const size = { width: width ?? attribute("width"), height: height ?? attribute("height") };
  if (!(size.width > 0 && size.height > 0))
    throw new Error("it has neither a viewBox nor a width and a height");
  return size;
}
