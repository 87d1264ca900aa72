import { addDays, addMonths, type Day } from "./day.js";

/** A number of months and days. Months are added before days. */
export interface Period {
  readonly months: number;
  readonly days: number;
}

const written = /^P(?=\d)(?:(\d{1,3})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})D)?$/;
const weeks = /^P(\d{1,4})W$/;

/** Parses whole years, months, weeks and days (ISO 8601): `P2Y`, `P1Y6M`, `P6W`, `P0D`. */
export function parsePeriod(text: string): Period | undefined {
  const [, inWeeks] = weeks.exec(text) ?? [];
  if (inWeeks !== undefined) return { months: 0, days: Number(inWeeks) * 7 };
  const found = written.exec(text);
  if (!found) return undefined;
  const [years = 0, months = 0, days = 0] = found.slice(1).map((digits) => Number(digits ?? 0));
  return { months: years * 12 + months, days };
}

export function addPeriod(day: Day, { months, days }: Period): Day {
  return addDays(addMonths(day, months), days);
}
