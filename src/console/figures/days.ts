import type { DailyFigures } from "#gen/learning_credentials/v1/credential_service_pb.js";

/** What is counted, in the order in which it happens to a credential. */
export const KINDS = ["issued", "mailed", "downloaded", "verified", "withdrawn"] as const;

export type Kind = (typeof KINDS)[number];

/** `2026-01-15`: the day of this moment here, or so many days later. */
export function isoDay(moment: Date, later = 0): string {
  const day = new Date(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate() + later));
  return day.toISOString().slice(0, 10);
}

/** So many days, the last of them that of this moment. */
export function daysUntil(moment: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => isoDay(moment, index + 1 - count));
}

export function sumOf(days: readonly DailyFigures[], kind: Kind): number {
  return days.reduce((sum, { figures }) => sum + (figures?.[kind] ?? 0), 0);
}
