/** A platform that asks for more has trouble of another kind. */
const MAX_WAIT_MS = 15 * 60_000;

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date.
 * @returns milliseconds, at most 15 minutes; undefined if it says nothing
 */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const wait = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), MAX_WAIT_MS);
}
