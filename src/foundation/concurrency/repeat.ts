import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";

export interface Repetition {
  /** Resolves after the first successful round, or when the work is stopped before that. */
  readonly succeeded: Promise<void>;
  /** Waits for the current round, and starts no more rounds. */
  stop(): Promise<void>;
}

/**
 * Runs the work immediately, and again after each pause, even if it failed. Logs only the first of consecutive
 * failures, and later the recovery.
 * @param options.name names the work in the log, for example `heartbeat`
 * @param options.work receives a signal that aborts when the repetition is stopped
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
        if (isFailing) log.info({ task: name }, "recurring task works again");
        isFailing = false;
        succeed();
      } catch (error) {
        if (stopping.signal.aborted) break; // usually the consequence of stopping; nothing is retried
        if (!isFailing) log.error({ err: error, task: name }, "recurring task failed; retrying");
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
