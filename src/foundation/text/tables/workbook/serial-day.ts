/** A moment as workbooks count it, in parts. */
export interface SerialMoment {
  /** Of the calendar, at midnight in UTC; undefined for day 0 and what no calendar has. */
  readonly day: Date | undefined;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  /** All of it. */
  readonly totalSeconds: number;
}

const DAY_MS = 86_400_000;
const LAST_DAY = 2_958_465; // 9999-12-31

/**
 * Reads a serial number of days (ECMA-376 part 1, 18.17.4.1). The calendar of 1900 has a 29 February in that year,
 * which never was: days before it count from one day later.
 * @param is1904 whether days count from 1904
 * @param digits of a second that are shown; the rest is rounded
 */
export function serialMoment(serial: number, is1904: boolean, digits = 0): SerialMoment {
  const precision = 10 ** digits;
  const totalSeconds = Math.round(serial * 86_400 * precision) / precision;
  const days = Math.floor(totalSeconds / 86_400);
  const within = totalSeconds - days * 86_400;
  return {
    day: dayOf(days, is1904),
    hours: Math.floor(within / 3600),
    minutes: Math.floor(within / 60) % 60,
    seconds: Number((within % 60).toFixed(digits)),
    totalSeconds,
  };
}

function dayOf(days: number, is1904: boolean): Date | undefined {
  if (is1904)
    return days >= 0 && days <= LAST_DAY ? new Date(Date.UTC(1904, 0, 1) + days * DAY_MS) : undefined;
  if (days < 1 || days > LAST_DAY || days === 60) return undefined;
  return new Date(Date.UTC(1899, 11, days < 60 ? 31 : 30) + days * DAY_MS);
}
