import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Addresses, FromChild, FromParent } from "./messages.js";

/** One of the processes that run the service together. */
export interface ServiceProcess {
  /** Name in logs, health and metrics. */
  readonly name: string;
  readonly args: readonly string[];
  /** Environment variables in addition to the parent's. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ExitResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly pid: number | undefined;
  /** Resolves when the process has started. If the process ends first, resolves with its `end`. */
  readonly started: Promise<{ readonly addresses: Addresses | undefined } | { readonly end: ExitResult }>;
  readonly ended: Promise<ExitResult>;
  isReady(): boolean;
  /** Asks the process to end, and kills it after the timeout. Resolves when the process has ended. */
  end(how: "stop" | "retire", patienceMs: number): Promise<ExitResult>;
  /** Resolves with the metrics of the process; undefined if it doesn't respond in time. */
  measure(patienceMs: number): Promise<readonly object[] | undefined>;
}

/**
 * Starts another process of this program. All processes started here listen on the same ports: the parent accepts
 * connections and distributes them.
 */
export function startChild({ args, env }: ServiceProcess): Child {
  cluster.setupPrimary({
    args: [...args],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const worker = cluster.fork(env);
  let isReady = false;
  const ended = new Promise<ExitResult>((resolve) => {
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
      send(worker, { type: how });
      if (!isReady) worker.process.kill("SIGTERM"); // a process that is still starting may not handle messages yet
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
        send(worker, { type: "measure", id });
      });
    },
  };
}

/** Ignores errors, because the process may have just ended. */
function send(worker: Worker, message: FromParent): void {
  if (worker.isConnected()) worker.send(message, undefined, () => {});
}
