const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after the first, second and further consecutive rounds without a success. The last delay repeats. */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
] as const;

const MAX_RETRY_AFTER_MS = 24 * HOUR;

/** Number of days with failures after which an endpoint is disabled. */
export const DISABLED_AFTER_DAYS = 5;

/**
 * Minimum number of failed rounds before an endpoint is disabled. Fewer don't prove that the receiver is down, because
 * this service may have been off in between.
 */
export const MIN_FAILED_ROUNDS = 10;

/**
 * Returns the wait after a failed round, with 20 % random variation. A wait that the receiver requests takes
 * precedence.
 * @param failedRounds consecutive rounds without a success, at least 1
 */
export function waitMs(failedRounds: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, SECOND), MAX_RETRY_AFTER_MS);
  const wait = RETRY_DELAYS_MS[Math.min(failedRounds, RETRY_DELAYS_MS.length) - 1] ?? RETRY_DELAYS_MS[0];
  return wait * (0.8 + 0.4 * Math.random());
}
