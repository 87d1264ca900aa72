import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

export interface Dependency {
  readonly name: string;
  /** True if the service can't respond at all without this dependency; false if only some functions need it. */
  readonly isRequired: boolean;
  /** Rejects if the dependency doesn't work. The signal is aborted when the result is no longer needed. */
  check(signal: AbortSignal): Promise<void>;
}

export interface Health {
  /** `degraded`: all required dependencies work, but an optional one doesn't. */
  readonly status: "ready" | "degraded" | "unready" | "stopping";
  readonly dependencies: readonly {
    readonly name: string;
    readonly works: boolean;
    /** Duration of the check in milliseconds. */
    readonly ms: number;
  }[];
  /** The processes of `serve --processes`, if it is used. */
  readonly processes?: readonly { readonly name: string; readonly isReady: boolean }[];
}

/** Whether the service should receive requests. */
export interface Readiness {
  check(): Promise<Health>;
  /** Reports from now on that the service shouldn't receive requests, because it is about to stop. */
  markStopping(): void;
  onStopping(listener: () => void): void;
}

/** A dependency whose check takes longer than this is reported as not working. */
const CHECK_TIMEOUT_MS = 2_000;
/** Results are reused for this time, regardless of the number of requests. */
const CACHE_MS = 1_000;

export function createReadiness(dependencies: readonly Dependency[], log: Logger): Readiness {
  let isStopping = false;
  const listeners: (() => void)[] = [];
  let latest: { at: number; health: Promise<Health> } | undefined;

  async function checkOne({ name, check }: Dependency): Promise<Health["dependencies"][number]> {
    const started = performance.now();
    const patience = new AbortController();
    try {
      const tooLong = sleep(CHECK_TIMEOUT_MS, undefined, { signal: patience.signal }).then(() => {
        throw new Error(`no response within ${CHECK_TIMEOUT_MS} ms`);
      });
      await Promise.race([check(patience.signal), tooLong]);
      return { name, works: true, ms: elapsedMs(started) };
    } catch (error) {
      log.warn({ dependency: name, err: error }, "dependency is unavailable");
      return { name, works: false, ms: elapsedMs(started) };
    } finally {
      patience.abort();
    }
  }

  async function checkAll(): Promise<Health> {
    const results = await Promise.all(dependencies.map(checkOne));
    const failing = dependencies.filter((_, index) => !results[index]?.works);
    const status = failing.some(({ isRequired }) => isRequired)
      ? "unready"
      : failing.length > 0
        ? "degraded"
        : "ready";
    return { status, dependencies: results };
  }

  return {
    async check() {
      if (!latest || performance.now() - latest.at > CACHE_MS) {
        latest = { at: performance.now(), health: checkAll() };
      }
      const health = await latest.health;
      return isStopping ? { ...health, status: "stopping" } : health;
    },
    markStopping() {
      isStopping = true;
      for (const listener of listeners) listener();
    },
    onStopping: (listener) => void listeners.push(listener),
  };
}

function elapsedMs(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
