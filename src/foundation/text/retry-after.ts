/**
 * Parses `Retry-After` (RFC 9110, 10.2.3): seconds or a date.
 * @param now milliseconds since 1970
 * @returns milliseconds, 0 or more; undefined if the header is missing or invalid
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  if (text === null || text === undefined) return undefined;
  const wait = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
