import { monitorEventLoopDelay } from "node:perf_hooks";

interface Pace {
  /** Runs a job as soon as the limit on concurrent jobs allows. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

interface PaceOptions {
  /** The limit while no caller is delayed. */
  readonly most: number;
  /** Minimum of the limit, so that jobs always make progress. */
  readonly least: number;
  /** Returns the number of callers' reads since the start. */
  readonly reads: () => number;
  readonly onLimit?: (limit: number) => void;
}

/** Interval at which the delay of callers is checked. */
const PERIOD_MS = 50;

/** While callers read, the limit rises by one per this interval. Each rise is a trial that may delay callers. */
const TRIAL_MS = 1_000;

/** Delay from which the process is treated as too busy. The cause may be the process's own work or a lack of cores. */
const MAX_DELAY_MS = 8;

/** Interval of the timer that measures the delay. The measured delay includes the interval. */
const RESOLUTION_MS = 4;

/**
 * Limits concurrent jobs, to leave capacity for callers. If callers are making read requests and the event loop is
 * delayed, the limit drops to the minimum at once. While there are no read requests, the limit is quadrupled in each
 * period. It starts at the minimum, and returns to it when no job is running.
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
    const isLate = delay.max / 1e6 - RESOLUTION_MS > MAX_DELAY_MS;
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
