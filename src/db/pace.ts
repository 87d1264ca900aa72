/** Lets batches begin one after another, so that those that wait fill up meanwhile. */
export interface Pace {
  /** Calls `begin` once what has already arrived is read, and fewer batches than the limit are under way. */
  schedule(begin: () => void): void;
  /** Does the work of a batch that was begun. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** @param limit how many batches are under way at once */
export function createPace(limit: number): Pace {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const beginWaiting = () => {
    while (underWay < limit && waiting.length > 0) waiting.shift()?.();
  };
  return {
    schedule(begin) {
      waiting.push(begin);
      setImmediate(beginWaiting);
    },
    async run(work) {
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
        beginWaiting();
      }
    },
  };
}
