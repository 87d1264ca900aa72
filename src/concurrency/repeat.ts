import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";

/** Work that is done again and again. */
export interface Repetition {
  /** Resolves when the work has succeeded for the first time, or was stopped before. */
  readonly succeeded: Promise<void>;
  /** Lets a round that is under way end, and begins no other. */
  stop(): Promise<void>;
}

/**
 * Does the work at once, and again and again with a pause after each round, whether or not it failed. Of failures in a
 * row, the first is logged, and their end.
 * @param options.name of the work, for the log, such as `heartbeat`
 * @param options.work gets a signal that aborts when no other round is to follow
 */
export function repeat(options: {
  name: string;
  pauseMs: number;
  work: (stopping: AbortSignal) => Promise<void>;
  log: Logger;
}): Repetition {
  const { name, pauseMs, work, log } = options;
  const stopping = new AbortController();
  let succeed = () => {};
  const succeeded = new Promise<void>((resolve) => {
    succeed = resolve;
  });

  async function run(): Promise<void> {
    let isFailing = false;
    while (!stopping.signal.aborted) {
      try {
        await work(stopping.signal);
        if (isFailing) log.info(`${name} works again`);
        isFailing = false;
        succeed();
      } catch (error) {
        if (!isFailing) log.error({ err: error }, `${name} fails; it goes on trying`);
        isFailing = true;
      }
      await setTimeout(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
    succeed();
  }

  const ended = run();
  return {
    succeeded,
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
