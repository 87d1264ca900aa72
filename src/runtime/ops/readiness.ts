import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

/** Something that the service depends on, with a check whether it works. */
export interface Dependency {
  readonly name: string;
  /** True if the service can't respond at all without it; false if the service only does less. */
  readonly isRequired: boolean;
  /** Rejects if the dependency doesn't work. The signal aborts when the result is no longer needed. */
  check(signal: AbortSignal): Promise<void>;
}

/** The result of checking the dependencies. */
export interface Health {
  /** `degraded`: all required dependencies work, but another one doesn't. */
  readonly status: "ready" | "degraded" | "unready" | "stopping";
  readonly dependencies: readonly {
    readonly name: string;
    readonly works: boolean;
    /** Duration of the check in milliseconds. */
    readonly ms: number;
  }[];
  /** The processes of `serve --processes`. */
  readonly processes?: readonly { readonly name: string; readonly isReady: boolean }[];
}

/** Whether the service should receive requests. */
export interface Readiness {
  look(): Promise<Health>;
  /** Makes the service report that it shouldn't receive requests, because it is about to stop. */
  fall(): void;
  /** Registers a function to call on `fall`. */
  onFall(tell: () => void): void;
}

/** A dependency whose check takes longer than this is reported as not working. */
const PATIENCE_MS = 2_000;
/** Results are reused for this time, however many requests there are. */
const REMEMBERED_MS = 1_000;

export function createReadiness(dependencies: readonly Dependency[], log: Logger): Readiness {
  let isStopping = false;
  const listeners: (() => void)[] = [];
  let latest: { at: number; health: Promise<Health> } | undefined;

  async function lookAt({ name, check }: Dependency): Promise<Health["dependencies"][number]> {
    const started = performance.now();
    const patience = new AbortController();
    try {
      const tooLong = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
        throw new Error(`no answer within ${PATIENCE_MS} ms`);
      });
      await Promise.race([check(patience.signal), tooLong]);
      return { name, works: true, ms: since(started) };
    } catch (error) {
      log.warn({ dependency: name, err: error }, "dependency is unavailable");
      return { name, works: false, ms: since(started) };
    } finally {
      patience.abort();
    }
  }

  async function checkAll(): Promise<Health> {
    const looked = await Promise.all(dependencies.map(lookAt));
    const failing = dependencies.filter((_, index) => !looked[index]?.works);
    const status = failing.some(({ isRequired }) => isRequired)
      ? "unready"
      : failing.length > 0
        ? "degraded"
        : "ready";
    return { status, dependencies: looked };
  }

  return {
    async look() {
      if (!latest || performance.now() - latest.at > REMEMBERED_MS) {
        latest = { at: performance.now(), health: checkAll() };
      }
      const health = await latest.health;
      return isStopping ? { ...health, status: "stopping" } : health;
    },
    fall() {
      isStopping = true;
      for (const tell of listeners) tell();
    },
    onFall: (tell) => void listeners.push(tell),
  };
}

function since(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
