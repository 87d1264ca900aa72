import type { ReadPdf } from "./read-pdf.js";

/** Returns the printed lines, from the top of the page to the bottom. */
export function printedLines({ items }: ReadPdf): string[] {
  const lines = new Map<number, string[]>();
  for (const { text, baseline } of items) {
    const at = Math.round(baseline);
    lines.set(at, [...(lines.get(at) ?? []), text.trim()]);
  }
  const sorted = [...lines].sort(([one], [other]) => other - one);
  return sorted.map(([, texts]) => texts.filter((text) => text !== "").join(" "));
}
