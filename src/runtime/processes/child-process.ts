import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Addresses, FromChild, FromParent } from "./messages.js";

/** One of the processes that run the service together. */
export interface Part {
  /** How logs, health and metrics name it. */
  readonly name: string;
  /** Arguments of the program. */
  readonly args: readonly string[];
  /** Variables on top of the parent's. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a process ended. */
export interface End {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A process of a part. */
export interface Child {
  readonly pid: number | undefined;
  /** Resolves when it has started; to its end if it ended before. */
  readonly started: Promise<{ readonly addresses: Addresses | undefined } | { readonly end: End }>;
  readonly ended: Promise<End>;
  isReady(): boolean;
  /** Asks it to end, kills it if it has not done so in time, and resolves with its end. */
  end(how: "stop" | "retire", patienceMs: number): Promise<End>;
  /** Resolves to its metrics; undefined if it does not tell them in time. */
  measure(patienceMs: number): Promise<readonly object[] | undefined>;
}

/**
 * Starts the program of this process again. Its servers share their ports with those of all others started
 * here: the parent accepts connections, and hands each to a process that takes it.
 */
export function startChild({ args, env }: Part): Child {
  cluster.setupPrimary({
    args: [...args],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const worker = cluster.fork(env);
  let isReady = false;
  const ended = new Promise<End>((resolve) => {
    worker.once("exit", (exitCode, signal) => {
      isReady = false;
      resolve({ exitCode, signal });
    });
  });
  const ready = new Promise<{ addresses: Addresses | undefined }>((resolve) => {
    worker.on("message", (message: FromChild) => {
      if (message.type !== "ready") return;
      isReady = true;
      resolve(message);
    });
  });
  let lastId = 0;
  return {
    pid: worker.process.pid,
    started: Promise.race([ready, ended.then((end) => ({ end }))]),
    ended,
    isReady: () => isReady,

    async end(how, patienceMs) {
      tell(worker, { type: how });
      if (!isReady) worker.process.kill("SIGTERM"); // it may not listen to messages yet
      isReady = false;
      const patience = new AbortController();
      const kill = sleep(patienceMs, undefined, { signal: patience.signal }).then(
        () => worker.process.kill("SIGKILL"),
        () => {},
      );
      const end = await ended;
      patience.abort();
      await kill;
      return end;
    },

    measure(patienceMs) {
      const id = ++lastId;
      return new Promise((resolve) => {
        const done = (metrics?: readonly object[]) => {
          clearTimeout(timer);
          worker.off("message", listen);
          resolve(metrics);
        };
        const timer = setTimeout(done, patienceMs);
        const listen = (message: FromChild) => {
          if (message.type === "measured" && message.id === id) done(message.metrics);
        };
        worker.on("message", listen);
        void ended.then(() => done());
        tell(worker, { type: "measure", id });
      });
    },
  };
}

/** A process that has just ended can't be told. */
function tell(worker: Worker, message: FromParent): void {
  if (worker.isConnected()) worker.send(message, undefined, () => {});
}
