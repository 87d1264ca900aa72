import type { DailyFigures } from "#gen/learning_credentials/v1/credential_service_pb.js";

/** The actions that are counted, in the order in which they happen to a credential. */
export const FIGURE_KINDS = ["issued", "emailed", "downloaded", "verified", "withdrawn"] as const;

export type FigureKind = (typeof FIGURE_KINDS)[number];

/** Returns the local day of a moment plus a number of days, for example `2026-01-15`. */
export function localDay(moment: Date, later = 0): string {
  const day = new Date(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate() + later));
  return day.toISOString().slice(0, 10);
}

/** Returns consecutive days, of which the last is the day of the moment. */
export function daysUntil(moment: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => localDay(moment, index + 1 - count));
}

export function sumOfDays(days: readonly DailyFigures[], kind: FigureKind): number {
  return days.reduce((sum, { figures }) => sum + (figures?.[kind] ?? 0), 0);
}
