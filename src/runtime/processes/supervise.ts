import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { type Child, type ExitResult, type ServiceProcess, startChild } from "./child-process.js";
import type { Addresses } from "./messages.js";

/** The processes that run the service. A process that dies is replaced. */
export interface ProcessGroup {
  /**
   * Starts a process, and restarts it whenever it dies.
   * @throws Problem `failed-precondition` if the process ends before it is ready
   */
  keep(part: ServiceProcess): Promise<Addresses | undefined>;
  /** Replaces the processes one after the other. An old process ends when the new one is ready. */
  roll(): Promise<void>;
  stop(): Promise<void>;
  /** Never resolves. Rejects with a Problem if a process keeps dying. */
  readonly failed: Promise<never>;
  states(): { readonly name: string; readonly isReady: boolean; readonly restarts: number }[];
  measure(): Promise<{ readonly name: string; readonly metrics: readonly object[] }[]>;
}

/** A death before the process is ready, or within this time afterwards, is early. */
const EARLY_DEATH_MS = 10_000;
/** After this many early deaths in a row, a process is not restarted again. */
const MAX_EARLY_DEATHS = 10;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
const MEASURE_TIMEOUT_MS = 2_000;

/** A part of the service and its current process. */
interface Slot {
  readonly part: ServiceProcess;
  current: Child;
  restarts: number;
  /** Number of early deaths in a row. */
  earlyDeaths: number;
  /** Requests the replacement of the process. Calls `done` after the replacement. */
  requestRoll(done: () => void): void;
}

/** @param endPatienceMs time in milliseconds for a process to end before it is killed */
export function supervise(log: Logger, endPatienceMs: number): ProcessGroup {
  const slots: Slot[] = [];
  const living = new Set<Child>();
  const stopping = new AbortController();
  let fail: (problem: Problem) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {}); // prevents an unhandled rejection while the parent is stopping
  let rolling: Promise<void> | undefined;
  let isRollRequested = false;

  const keepUp = createKeeper({ log, endPatienceMs, launch, signal: stopping.signal });

  function launch(part: ServiceProcess): Child {
    const child = startChild(part);
    living.add(child);
    void child.ended.then(() => living.delete(child));
    return child;
  }

  return {
    failed,

    async keep(part) {
      const current = launch(part);
      const started = await current.started;
      if ("end" in started) {
        throw failedPrecondition(
          `Process ${part.name} ended before it was ready, ${describeEnd(started.end)}. Its output is above.`,
        );
      }
      const slot: Slot = { part, current, restarts: 0, earlyDeaths: 0, requestRoll: () => {} };
      slots.push(slot);
      void keepUp(slot).catch((error) => {
        if (!stopping.signal.aborted) fail(error);
      });
      return started.addresses;
    },

    async roll() {
      isRollRequested = true;
      rolling ??= (async () => {
        while (isRollRequested && !stopping.signal.aborted) {
          isRollRequested = false;
          for (const slot of slots) {
            if (!stopping.signal.aborted) await new Promise<void>((done) => slot.requestRoll(done));
          }
        }
        rolling = undefined;
      })();
      return rolling;
    },

    async stop() {
      stopping.abort();
      await Promise.all([...living].map((child) => child.end("stop", endPatienceMs)));
    },

    states: () =>
      slots.map(({ part, current, restarts }) => ({
        name: part.name,
        isReady: current.isReady(),
        restarts,
      })),

    async measure() {
      const measured = await Promise.all(
        slots.map(async ({ part, current }) => ({
          name: part.name,
          metrics: await current.measure(MEASURE_TIMEOUT_MS),
        })),
      );
      return measured.flatMap(({ name, metrics }) => (metrics ? [{ name, metrics }] : []));
    },
  };
}

interface KeeperOptions {
  readonly log: Logger;
  readonly endPatienceMs: number;
  launch(part: ServiceProcess): Child;
  /** Aborts when the service stops. */
  readonly signal: AbortSignal;
}

/**
 * @returns a function that keeps a slot's process running until the service stops: it replaces the process when it dies
 * or when a replacement is requested
 */
function createKeeper({ log, endPatienceMs, launch, signal }: KeeperOptions) {
  async function replace(slot: Slot): Promise<void> {
    const { part, current } = slot;
    const successor = launch(part);
    const started = await successor.started;
    if ("end" in started) {
      if (!signal.aborted) {
        log.error(
          { process: part.name, ...started.end },
          "new process ended before it was ready; the old one keeps running",
        );
      }
      return;
    }
    slot.current = successor;
    log.info({ process: part.name, childPid: successor.pid }, "process replaced");
    await current.end("retire", endPatienceMs);
  }

  async function restart(slot: Slot, death: ExitResult): Promise<void> {
    const { part } = slot;
    let last = death;
    for (; slot.earlyDeaths < MAX_EARLY_DEATHS; slot.earlyDeaths++) {
      if (slot.earlyDeaths > 0) {
        await sleep(pauseMs(slot.earlyDeaths), undefined, { signal });
      }
      slot.restarts++;
      slot.current = launch(part);
      const started = await slot.current.started;
      if (!("end" in started)) {
        log.info({ process: part.name, childPid: slot.current.pid }, "process is running again");
        return;
      }
      if (signal.aborted) return;
      last = started.end;
      log.error({ process: part.name, ...last }, "process ended before it was ready");
    }
    throw new Problem(
      "unavailable",
      `Process ${part.name} ended ${MAX_EARLY_DEATHS} times in a row during or soon after startup, the last time ${describeEnd(last)}. ` +
        "Its output is above: correct the problem, and start the service again.",
    );
  }

  return async function keepUp(slot: Slot): Promise<void> {
    let rollRequested = nextRollRequest(slot);
    while (!signal.aborted) {
      const startedAt = performance.now();
      const next = await Promise.race([slot.current.ended.then((end) => ({ end })), rollRequested]);
      if (signal.aborted) return;
      if (typeof next === "function") {
        await replace(slot);
        rollRequested = nextRollRequest(slot);
        next();
        continue;
      }
      const { name } = slot.part;
      log.error({ process: name, childPid: slot.current.pid, ...next.end }, "process died");
      const isEarly = performance.now() - startedAt < EARLY_DEATH_MS;
      slot.earlyDeaths = isEarly ? slot.earlyDeaths + 1 : 0;
      // A replacement requested meanwhile stays pending: the new process may have read its files before the request.
      await restart(slot, next.end);
    }
  };
}

function nextRollRequest(slot: Slot): Promise<() => void> {
  return new Promise((resolve) => {
    slot.requestRoll = resolve;
  });
}

/** Returns the pause before the next start. It doubles each time a process ends soon after its start. */
function pauseMs(deaths: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (deaths - 1));
}

function describeEnd({ exitCode, signal }: ExitResult): string {
  return signal ? `by ${signal}` : `with exit code ${exitCode}`;
}
