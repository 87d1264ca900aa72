import type { readPdf } from "./read-pdf.js";

/** Returns pairs of texts whose boxes from baseline to x-height overlap. */
export function collisions(items: Awaited<ReturnType<typeof readPdf>>["items"]): string[] {
  const slack = 0.5;
  const seen = items.filter(({ text }) => text.trim() !== "");
  return seen.flatMap((one, index) =>
    seen
      .slice(index + 1)
      .filter((other) => one.left < other.right - slack && other.left < one.right - slack)
      .filter((other) => Math.abs(one.baseline - other.baseline) > slack)
      .filter((other) => {
        const [upper, lower] = one.baseline > other.baseline ? [one, other] : [other, one];
        return lower.baseline + lower.size * 0.45 > upper.baseline - slack;
      })
      .map((other) => `${one.text} / ${other.text}`),
  );
}
