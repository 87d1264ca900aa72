export type Limiter = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a function that runs at most `concurrency` tasks at a time, in order of arrival. If the signal of a waiting
 * task aborts, the task leaves the queue and rejects with the signal's reason.
 * @param slowMs milliseconds after which a running task no longer takes up a slot. Default: never
 */
export function createLimiter(concurrency: number, slowMs?: number): Limiter {
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

  /** Passes the slot to the next waiting task, or frees it. */
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
    let isIn = true;
    const leave = () => {
      if (isIn) exit();
      isIn = false;
    };
    const patience = slowMs === undefined ? undefined : setTimeout(leave, slowMs);
    try {
      return await work();
    } finally {
      clearTimeout(patience);
      leave();
    }
  };
}
