/** Limits how much of a resource each holder can acquire, for example concurrent calls or bytes. */
export interface FairSemaphore {
  /**
   * Returns false if too little is free, or if the amount would exceed the holder's share. A holder that holds nothing
   * gets any amount that is free.
   * @param share fraction of the total that a holder can get while there are no other holders, for example 1/4
   */
  tryAcquire(holder: string, share: number, amount?: number): boolean;
  release(holder: string, amount?: number): void;
}

/**
 * Creates a semaphore that limits each holder depending on the free amount, so that some is always left for new
 * holders. With a share of 1/4, the first holder gets a quarter of the total, and the second holder gets a quarter of
 * the rest. If nine holders continually acquire and release, each ends up with a twelfth of the total.
 *
 * This is the dynamic threshold of Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet
 * switches", 1998.
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

/** Limits the number of simultaneous holders, without shares. */
export interface Semaphore {
  /** Returns false when the limit is reached. */
  tryAcquire(): boolean;
  release(): void;
}

export function createSemaphore(size: number): Semaphore {
  const shared = createFairSemaphore(size);
  return { tryAcquire: () => shared.tryAcquire("", 1), release: () => shared.release("") };
}
