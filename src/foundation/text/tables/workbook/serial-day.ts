export interface SerialMoment {
  /** Midnight UTC; undefined for day 0 and numbers outside the calendar. */
  readonly day: Date | undefined;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  /** Total time of the serial number in seconds. */
  readonly totalSeconds: number;
}

const DAY_MS = 86_400_000;
const LAST_DAY = 2_958_465; // 9999-12-31

/**
 * Converts a serial number of days (ECMA-376 part 1, 18.17.4.1). In the system that starts in 1900, day 60 is 29
 * February 1900, which never existed. Earlier numbers are therefore counted from a starting day that is one day later.
 * @param is1904 true if days are counted from 1904
 * @param digits decimals of the seconds; the rest is rounded
 */
export function serialMoment(serial: number, is1904: boolean, digits: number): SerialMoment {
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
