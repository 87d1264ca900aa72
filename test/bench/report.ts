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
  const rows = lines.map((line) => [`\`${line.figure.name}\``, `${line.figure.subject}. ${result(line)}`]);
  return [["figure", "what was measured, and the result"], ["---", "---"], ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/** Describes the median, the spread and the target. Figures with an upper limit are described by their values. */
function result(line: Line): string {
  const { figure, subject, ratio } = line;
  const target = isReached(line) ? "reached" : "missed";
  return typeof figure.reach === "number"
    ? `${ratio.median.toFixed(2)} times as fast as ${figure.baseline} (${spread(ratio)}); the target of ${reach(line)} is ${target}`
    : `${amount(subject.median)} ${figure.unit} (${amount(subject.lowest)}-${amount(subject.highest)}); the target of ${reach(line)} is ${target}`;
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
