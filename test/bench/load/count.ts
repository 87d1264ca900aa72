const WARM_UP_MS = 500;

/** When a load ends: this many seconds after warming up, or after this many responses. */
export type Until = { readonly seconds: number } | { readonly answers: number };

export interface Counter {
  count(): void;
  /** Number of responses per second. */
  readonly done: Promise<number>;
}

export function countUntil(until: Until): Counter {
  return "seconds" in until ? countFor(until.seconds) : countTo(until.answers);
}

function countFor(seconds: number): Counter {
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

function countTo(answers: number): Counter {
  const started = performance.now();
  let counted = 0;
  let end: (rate: number) => void;
  const done = new Promise<number>((resolve) => {
    end = resolve;
  });
  return {
    count() {
      counted++;
      if (counted === answers) end((answers * 1000) / (performance.now() - started));
    },
    done,
  };
}
