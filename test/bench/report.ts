import type { Figure } from "./figure.js";
import type { Measured, Summary } from "./rounds.js";

export interface Line extends Measured {
  readonly figure: Pick<Figure, "name" | "subject" | "baseline" | "unit" | "reach">;
}

/** Formats the table that is printed. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.figure.name,
    amount(line.subject.median),
    amount(line.baseline.median),
    line.figure.unit,
    line.ratio.median.toFixed(2),
    spread(line.ratio),
    reach(line),
    isReached(line) ? "" : "missed",
  ]);
  return aligned([["figure", "subject", "baseline", "unit", "ratio", "spread", "reach", ""], ...rows]);
}

/** Formats the table in Markdown with ratios, because they are the same on every machine. */
export function markdownTable(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    `\`${line.figure.name}\``,
    line.figure.subject,
    ...result(line),
    `${reach(line)}: ${isReached(line) ? "reached" : "missed"}`,
  ]);
  const headings = ["figure", "what was measured", "compared with", "result", "target"];
  return [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Returns the baseline, and the median with the spread. Figures with an upper limit have no baseline. */
function result({ figure, subject, ratio }: Line): [string, string] {
  return typeof figure.reach === "number"
    ? [figure.baseline, `${ratio.median.toFixed(2)} times as fast (${spread(ratio)})`]
    : ["", `${amount(subject.median)} ${figure.unit} (${amount(subject.lowest)}-${amount(subject.highest)})`];
}

function isReached({ figure: { reach }, subject, ratio }: Line): boolean {
  if (typeof reach === "number") return ratio.median >= reach;
  return subject.median <= reach.usually;
}

function reach({ figure: { reach, unit } }: Line): string {
  if (typeof reach === "number") return reach.toFixed(2);
  return `<= ${amount(reach.usually)} ${unit}`;
}

function aligned(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

function spread({ lowest, highest }: Summary): string {
  return `${lowest.toFixed(2)}-${highest.toFixed(2)}`;
}

function amount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
