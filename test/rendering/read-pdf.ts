import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { TextItem } from "pdfjs-dist/types/src/display/api.js";

/**
 * A PDF as parsed by another program, Mozilla's pdf.js. Lengths are in points on the displayed page. Positions are
 * measured from its bottom left corner.
 */
export interface ReadPdf {
  readonly pages: number;
  readonly width: number;
  readonly height: number;
  /** All pieces of text in drawing order, joined by spaces. */
  readonly text: string;
  readonly items: readonly { text: string; left: number; right: number; baseline: number; size: number }[];
  readonly info: Record<string, unknown>;
  /** The XMP packet, unparsed. */
  readonly xmp: string;
  readonly links: readonly string[];
  /** The structure types in reading order. Empty if the file is not tagged. */
  readonly structure: readonly string[];
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const page = await document.getPage(1);
  const viewport = page.getViewport({ scale: 1 });
  const { width, height } = viewport;
  const content = await page.getTextContent();
  const items = content.items
    .filter((item): item is TextItem => "str" in item && item.str.trim() !== "")
    .map((item) => {
      const [left = 0, top = 0] = viewport.convertToViewportPoint(item.transform[4], item.transform[5]);
      const size = Math.hypot(item.transform[2], item.transform[3]);
      return { text: item.str, left, right: left + item.width, baseline: height - top, size };
    });
  const annotations = await page.getAnnotations();
  const { info, metadata } = await document.getMetadata();
  const result = {
    pages: document.numPages,
    width,
    height,
    text: items.map((item) => item.text).join(" "),
    items,
    info: info as Record<string, unknown>,
    xmp: metadata?.getRaw() ?? "",
    links: annotations.filter((each) => each.subtype === "Link").map((each) => each.url as string),
    structure: roles(await page.getStructTree()),
  };
  await document.destroy();
  return result;
}

/**
 * Returns the letters, digits and marks of a text after compatibility decomposition, in sorted order. The results of
 * two texts can be compared regardless of order.
 */
export function characters(text: string): string {
  return [...text.normalize("NFKD").replace(/[^\p{L}\p{N}\p{M}]/gu, "")].sort().join("");
}

/** A node of pdf.js's structure tree. Leaves have no role. */
interface StructureNode {
  role?: string;
  children?: unknown[];
}

function roles(node: unknown): string[] {
  const { role, children = [] } = (node ?? {}) as StructureNode;
  return [...(role === undefined ? [] : [role]), ...children.flatMap(roles)];
}
