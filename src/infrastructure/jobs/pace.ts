import { monitorEventLoopDelay } from "node:perf_hooks";

/** Limits how many jobs are in progress at a time, and makes room for callers. */
export interface Pace {
  /** Runs a job as soon as the limit allows. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface PaceOptions {
  /** The limit while nobody is held up. */
  readonly most: number;
  /** The limit never falls below this, so that jobs go on whatever happens. */
  readonly least: number;
  /** Returns how many reads of callers have started so far. */
  readonly reads: () => number;
  /** Receives each new limit. */
  readonly onLimit?: (limit: number) => void;
}

/** How often it looks whether callers are held up. */
const PERIOD_MS = 50;

/** While callers read, the limit rises by one in this time: each rise is a trial that they may feel. */
const TRIAL_MS = 1_000;

/** A process that answers this much later than it could is too busy. It covers its own work and missing cores. */
const LATE_MS = 8;

/** The delay is measured by a timer with this interval, which is part of what it measures. */
const RESOLUTION_MS = 4;

/**
 * Creates a pace. If callers read and this process is late, the limit falls to the least at once. While nobody
 * reads, it is quadrupled in each period. A run that begins also starts with the least.
 */
export function createPace({ most, least, reads, onLimit }: PaceOptions): Pace {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const waiting: (() => void)[] = [];
  let limit = least;
  let inProgress = 0;
  let readsBefore = 0;
  let changedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function beginWaiting(): void {
    while (inProgress < limit && waiting.length > 0) {
      inProgress++;
      waiting.shift()?.();
    }
  }

  function setLimit(changed: number): void {
    if (changed === limit) return;
    limit = changed;
    changedAt = performance.now();
    onLimit?.(limit);
    beginWaiting();
  }

  function look(): void {
    const readsNow = reads();
    const isRead = readsNow > readsBefore;
    const isLate = delay.max / 1e6 - RESOLUTION_MS > LATE_MS;
    readsBefore = readsNow;
    delay.reset();
    if (!isRead) setLimit(Math.min(most, limit * 4));
    else if (isLate) setLimit(least);
    else if (performance.now() - changedAt > TRIAL_MS) setLimit(Math.min(most, limit + 1));
    if (inProgress === 0) pause();
  }

  function watch(): void {
    if (timer) return;
    readsBefore = reads();
    delay.enable();
    timer = setInterval(look, PERIOD_MS).unref();
  }

  function pause(): void {
    clearInterval(timer);
    timer = undefined;
    delay.disable();
    setLimit(least);
  }

  return {
    async run(work) {
      watch();
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        beginWaiting();
      });
      try {
        return await work();
      } finally {
        inProgress--;
        beginWaiting();
      }
    },
  };
}
