/** Limits the requests per minute of each client. */
export interface RateLimit {
  /**
   * Counts a request.
   * @param times number of requests to count; the default is 1
   * @returns undefined if the request is allowed; otherwise the seconds until the next request is allowed
   */
  take(client: string, times?: number): number | undefined;
}

const WINDOW_MS = 60_000;

/**
 * Maximum number of clients in each of the two sets, which take 20 MB in total. Someone who sends from more networks
 * evades the rate limit, whatever the maximum is.
 */
const MAX_CLIENTS = 50_000;

interface Count {
  times: number;
  /** End of the window, in milliseconds as in `performance.now()`. */
  readonly until: number;
}

/**
 * Counts in windows of one minute that start with a client's first request. Clients are kept in two sets. The older set
 * is dropped after a minute, when all its windows have passed, or as soon as the newer set is full.
 *
 * Counting takes 0.1 us, or 1.3 us for a new client, and the memory is limited. RateLimiterMemory of
 * rate-limiter-flexible takes 0.6 us, or 4 us and a timer for a new client. It uses 420 bytes for each client, without
 * a limit.
 * @param perMinute 0 disables the limit
 */
export function createRateLimit(perMinute: number): RateLimit {
  let recent = new Map<string, Count>();
  let older = new Map<string, Count>();
  let turnsAt = performance.now() + WINDOW_MS;

  function countOf(client: string, now: number): Count {
    const recorded = recent.get(client) ?? older.get(client);
    const count = recorded && recorded.until > now ? recorded : { times: 0, until: now + WINDOW_MS };
    recent.set(client, count);
    return count;
  }

  return {
    take(client, times = 1) {
      if (perMinute === 0) return undefined;
      const now = performance.now();
      if (now >= turnsAt || recent.size >= MAX_CLIENTS) {
        older = recent;
        recent = new Map();
        turnsAt = now + WINDOW_MS;
      }
      const count = countOf(client, now);
      count.times += times;
      if (count.times <= perMinute) return undefined;
      return Math.ceil((count.until - now) / 1000);
    },
  };
}
