import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { TextItem } from "pdfjs-dist/types/src/display/api.js";

/** A PDF as another program, Mozilla's pdf.js, reads it. Lengths are in points from the bottom left corner. */
export interface ReadPdf {
  readonly pages: number;
  readonly width: number;
  readonly height: number;
  /** Every piece of text in the order of drawing, joined by spaces. */
  readonly text: string;
  readonly items: readonly { text: string; left: number; right: number; baseline: number; size: number }[];
  readonly info: Record<string, unknown>;
  readonly links: readonly string[];
  /** Names of the structure types in reading order; empty when the file is not tagged. */
  readonly structure: readonly string[];
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const page = await document.getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  const content = await page.getTextContent();
  const items = content.items
    .filter((item): item is TextItem => "str" in item && item.str.trim() !== "")
    .map((item) => ({
      text: item.str,
      left: item.transform[4],
      right: item.transform[4] + item.width,
      baseline: item.transform[5],
      size: item.transform[3],
    }));
  const annotations = await page.getAnnotations();
  const { info } = await document.getMetadata();
  const result = {
    pages: document.numPages,
    width,
    height,
    text: items.map((item) => item.text).join(" "),
    items,
    info: info as Record<string, unknown>,
    links: annotations.filter((each) => each.subtype === "Link").map((each) => each.url as string),
    structure: roles(await page.getStructTree()),
  };
  await document.destroy();
  return result;
}

/** The letters, digits and marks of a text, compatibility-composed and sorted: what is left when order is not told. */
export function characters(text: string): string {
  return [...text.normalize("NFKD").replace(/[^\p{L}\p{N}\p{M}]/gu, "")].sort().join("");
}

/** A node of pdf.js's structure tree, or a leaf, which has no role. */
interface StructureNode {
  role?: string;
  children?: unknown[];
}

function roles(node: unknown): string[] {
  const { role, children = [] } = (node ?? {}) as StructureNode;
  return [...(role === undefined ? [] : [role]), ...children.flatMap(roles)];
}
