/** A bound on what is taken at once, calls or bytes, that no holder can use up alone. */
export interface FairSemaphore {
  /**
   * Takes an amount, unless there is too little of it or the holder has their share.
   * @param share what a holder gets while nobody else holds anything, as a fraction of the whole: 1/4, 1/2
   */
  tryAcquire(holder: string, share: number, amount?: number): boolean;
  release(holder: string, amount?: number): void;
}

/**
 * Bounds each holder by what is free, so that something stays free for one who holds nothing: with a share of 1/4, one
 * holder gets a quarter, the next one a quarter of the rest, and of nine who come and go each ends up with a twelfth. (The dynamic
 * threshold of Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998.)
 */
export function createFairSemaphore(size: number): FairSemaphore {
  let free = size;
  const held = new Map<string, number>();

  return {
    tryAcquire(holder, share, amount = 1) {
      const before = held.get(holder) ?? 0;
      const after = before + amount;
      if (amount > free || (before > 0 && after * (1 - share) > (free - amount) * share)) return false;
      free -= amount;
      held.set(holder, after);
      return true;
    },
    release(holder, amount = 1) {
      free += amount;
      const left = (held.get(holder) ?? 0) - amount;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
    },
  };
}

/** A bound on how many are at something at once, whoever they are. */
export interface Semaphore {
  /** False when as many are at it as may. */
  tryAcquire(): boolean;
  release(): void;
}

export function createSemaphore(size: number): Semaphore {
  const shared = createFairSemaphore(size);
  return { tryAcquire: () => shared.tryAcquire("", 1), release: () => shared.release("") };
}
