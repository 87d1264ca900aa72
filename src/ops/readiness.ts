import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";

/** Something that the service depends on, and how to find out whether it works. */
export interface Dependency {
  readonly name: string;
  /** Without it the service can answer nothing; without another one it does less. */
  readonly isRequired: boolean;
  /** Rejects when it does not work. The signal aborts when nobody waits for it any more. */
  check(signal: AbortSignal): Promise<void>;
}

/** What a look at the dependencies has shown. */
export interface Health {
  /** `degraded`: what is required works, something else does not. */
  readonly status: "ready" | "degraded" | "unready" | "stopping";
  readonly dependencies: readonly {
    readonly name: string;
    readonly works: boolean;
    /** How long the look took. */
    readonly ms: number;
  }[];
}

/** Tells whether the service should be sent requests. */
export interface Readiness {
  look(): Promise<Health>;
  /** From now on it should not: it is about to stop. */
  fall(): void;
  /** Has somebody told when it falls. */
  onFall(tell: () => void): void;
}

/** What has not answered by then does not work. */
const PATIENCE_MS = 2_000;
/** However many ask: the dependencies are looked at no more often. */
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
      log.warn({ dependency: name, err: error }, "a dependency does not work");
      return { name, works: false, ms: since(started) };
    } finally {
      patience.abort();
    }
  }

  async function lookAtAll(): Promise<Health> {
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
        latest = { at: performance.now(), health: lookAtAll() };
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
