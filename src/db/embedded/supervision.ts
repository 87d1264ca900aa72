import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { Problem } from "../../errors.js";
import type { Postmaster } from "./postmaster.js";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;

/** Who is told when the server can't be kept running. */
export interface Supervision {
  readonly log: Logger;
  /** The server has ended and can never be started again. */
  onLost(problem: Problem): void;
}

/**
 * Starts the server again whenever it has ended, until it is stopped: after a crash it recovers, and where the disk is full
 * it does so once there is room.
 * @param options.restart starts it where it was reached before; rejects when that fails, and when the signal aborts
 * @param options.whyLost why no start can succeed any more; undefined: one may
 * @returns what stops the server, a start that is under way included
 */
export function supervise(
  first: Postmaster,
  options: {
    restart(signal: AbortSignal): Promise<Postmaster>;
    whyLost(): Promise<Problem | undefined>;
    supervision: Supervision;
  },
): () => Promise<void> {
  const { restart, whyLost } = options;
  const { log, onLost } = options.supervision;
  const stopping = new AbortController();
  const { signal } = stopping;
  let server = first;

  /** @returns undefined when there is no use in trying */
  async function startAgain(): Promise<Postmaster | undefined> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await setTimeout(pauseMs, undefined, { signal });
      const lost = await whyLost();
      if (lost) {
        onLost(lost);
        return undefined;
      }
      try {
        return await restart(signal);
      } catch (error) {
        signal.throwIfAborted();
        if (pauseMs === FIRST_PAUSE_MS) {
          log.error({ err: error }, "the embedded Postgres can't be started again yet; it goes on trying");
        }
      }
    }
  }

  async function keepRunning(): Promise<void> {
    for (;;) {
      const lastLines = await server.ended;
      if (signal.aborted) return;
      log.error(
        { lastLines: lastLines.filter(isAboutServer) },
        "the embedded Postgres has ended; it is started again",
      );
      const next = await startAgain();
      if (!next) return;
      if (signal.aborted) return next.stop();
      server = next;
      log.info("the embedded Postgres runs again");
    }
  }

  const ended = keepRunning().catch((error) => {
    if (!signal.aborted) onLost(new Problem("failed-precondition", String(error), { cause: error }));
  });
  return async () => {
    stopping.abort();
    await server.stop();
    await ended;
  };
}

/** Other lines may hold what a statement was called with. */
function isAboutServer(line: string): boolean {
  return /\b(FATAL|PANIC):/.test(line);
}
