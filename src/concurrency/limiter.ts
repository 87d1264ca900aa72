/**
 * Lets at most a number of works run at a time, the others in the order in which they came. Who waits leaves the queue
 * when the signal aborts, with the signal's reason.
 */
export function createLimiter(
  concurrency: number,
): <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let free = concurrency;

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(admit);
        reject(signal.reason);
      };
      waiting.add(admit);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Hands the turn on, or frees it. */
  function exit(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (signal, work) => {
    await enter(signal);
    try {
      return await work();
    } finally {
      exit();
    }
  };
}
