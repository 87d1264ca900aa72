import { setTimeout as sleep } from "node:timers/promises";

const MAX_ATTEMPTS = 5;

/**
 * Does work that may be done twice until it succeeds: up to 5 times, and for as long as faults may pass. The pauses double,
 * each of a random length down to its half, so that many processes don't come back at the same moment.
 * @param options.pauseMs the longest that the first pause can be
 * @param options.forMs no attempt begins later than this after the first
 * @throws what the last attempt has thrown
 */
export async function retry<T>(
  work: () => Promise<T>,
  options: { mayPass: (error: unknown) => boolean; pauseMs: number; forMs: number },
): Promise<T> {
  const end = performance.now() + options.forMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pause = options.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
      const isLast = attempt === MAX_ATTEMPTS || performance.now() + pause > end;
      if (isLast || !options.mayPass(error)) throw error;
      await sleep(pause);
    }
  }
}
