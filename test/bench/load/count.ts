const WARM_UP_MS = 500;

/** Counts what happens in a stretch of time. */
export interface Counter {
  count(): void;
  /** How many that were a second. */
  readonly done: Promise<number>;
}

/** Begins after a moment, when what is measured has settled. */
export function countFor(seconds: number): Counter {
  let counted = 0;
  return {
    count: () => void counted++,
    done: new Promise((resolve) => {
      setTimeout(() => {
        counted = 0;
        const started = performance.now();
        setTimeout(() => resolve((counted * 1000) / (performance.now() - started)), seconds * 1000);
      }, WARM_UP_MS);
    }),
  };
}
