import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";

const DAY = 86_400;

const days = createBoundedCache<string, number>(1000);
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

/**
 * Formats seconds since 1970 as `2026-01-15T10:30:00`, for the years 1 to 9999. `Date` would take ten times as long,
 * which matters because most imported records contain a time.
 */
export function utcSecond(seconds: number): string {
  const day = Math.floor(seconds / DAY);
  const second = seconds - day * DAY;
  const date = days(day, () => new Date(day * DAY * 1000).toISOString().slice(0, 11));
  const [hours, minutes] = [Math.floor(second / 3600), Math.floor(second / 60) % 60];
  return `${date}${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[second % 60]}`;
}
