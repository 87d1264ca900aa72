const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first rounds without a success; from then on, it is the last one. */
const WAITS_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
] as const;

/** The longest `Retry-After` that is respected. */
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/** An endpoint that has failed for this long is disabled. */
export const DISABLED_AFTER_DAYS = 5;

/** Fewer rounds than this say nothing about the receiver: perhaps the service was off in between. */
export const MIN_FAILED_ROUNDS = 10;

/**
 * Returns how long an endpoint waits after a round that failed, in milliseconds, 20 % more or less. What the
 * receiver has requested is respected.
 * @param failedRounds rounds without a success, at least 1
 */
export function waitMs(failedRounds: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, SECOND), MAX_RETRY_AFTER_MS);
  const wait = WAITS_MS[Math.min(failedRounds, WAITS_MS.length) - 1] ?? WAITS_MS[0];
  return wait * (0.8 + 0.4 * Math.random());
}
