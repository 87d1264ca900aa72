import { setTimeout } from "node:timers/promises";

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/** Retries a statement that can only fail in an outage. Throws when the signal aborts. */
export async function retryForever<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      await setTimeout(pauseMs, undefined, { signal });
    }
  }
}
