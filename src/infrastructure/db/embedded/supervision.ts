import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { failedPrecondition, type Problem } from "#foundation/errors.js";
import type { Postmaster } from "./postmaster.js";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;

/** Receives the news if the server can't be kept running. */
export interface Supervision {
  readonly log: Logger;
  /** The server has ended and can never be started again. */
  onLost(problem: Problem): void;
}

/**
 * Restarts the server whenever it ends, until it is stopped. After a crash it recovers; after a full disk it
 * recovers once there is room.
 * @param options.restart starts it under its previous address; rejects if that fails or the signal aborts
 * @param options.whyLost returns why no restart can ever succeed; undefined: one may
 * @returns a function that stops the server, or a restart that is under way
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

  /** @returns undefined if trying is pointless */
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
          log.error({ err: error }, "the embedded Postgres can't be restarted yet; retrying");
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
        "the embedded Postgres has stopped; restarting it",
      );
      const next = await startAgain();
      if (!next) return;
      if (signal.aborted) return next.stop();
      server = next;
      log.info("the embedded Postgres runs again");
    }
  }

  const ended = keepRunning().catch((error) => {
    if (!signal.aborted) onLost(failedPrecondition(String(error), { cause: error }));
  });
  return async () => {
    stopping.abort();
    await server.stop();
    await ended;
  };
}

/** Other lines may contain the bindings of a statement. */
function isAboutServer(line: string): boolean {
  return /\b(FATAL|PANIC):/.test(line);
}
