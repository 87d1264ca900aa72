import { invalid, Problem } from "#foundation/errors.js";
import type { AssetKind } from "../asset.js";
import { recognizeKind } from "./recognize-kind.js";

type Inspect = (bytes: Buffer) => void | Promise<void>;

// Each inspection is loaded only when it is needed, because a process inspects a single file.
const inspections: Record<AssetKind, () => Promise<Inspect>> = {
  pdf: async () => (await import("./inspect-pdf.js")).inspectPdf,
  png: async () => (await import("./inspect-png.js")).inspectPng,
  jpeg: async () => (await import("./inspect-jpeg.js")).inspectJpeg,
  svg: async () => (await import("./inspect-svg.js")).inspectSvg,
  font: async () => (await import("./inspect-font.js")).inspectFont,
};

const names: Record<AssetKind, string> = {
  pdf: "PDF",
  png: "PNG",
  jpeg: "JPEG",
  svg: "SVG drawing",
  font: "font",
};

/**
 * Determines the kind of a file, and checks that it can be used. This may take long and use much memory.
 * `createInspectAsset` limits both.
 * @throws Problem `invalid` with the reason
 */
export async function inspectContent(content: Uint8Array): Promise<AssetKind> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const kind = recognizeKind(bytes);
  const inspect = await inspections[kind]();
  try {
    await inspect(bytes);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw invalid(`The ${names[kind]} is broken: save or export it again, and upload the new file.`, error);
  }
  return kind;
}
