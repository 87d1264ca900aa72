import type { Figure } from "./figure.js";
import type { Measured, Summary } from "./rounds.js";

/** One line of the result. */
export interface Line extends Measured {
  readonly figure: Pick<Figure, "name" | "subject" | "baseline" | "unit" | "reach">;
}

/** The table that is printed. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map(({ figure, subject, baseline, ratio }) => [
    figure.name,
    rate(subject),
    rate(baseline),
    `${figure.unit}/s`,
    ratio.median.toFixed(2),
    `${ratio.lowest.toFixed(2)}-${ratio.highest.toFixed(2)}`,
    figure.reach.toFixed(2),
    ratio.median >= figure.reach ? "" : "missed",
  ]);
  return aligned([["figure", "subject", "baseline", "unit", "ratio", "spread", "reach", ""], ...rows]);
}

function aligned(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

function rate({ median }: Summary): string {
  return Math.round(median).toLocaleString("en-US");
}
