import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Outage } from "#foundation/errors.js";

/** Stops futile attempts while a system that jobs need is unavailable. */
export interface CircuitBreaker {
  /** Whether work should wait. */
  isOpen(): boolean;
  /** Opens the breaker, because work failed due to the outage. Other work waits until a probe succeeds. */
  trip(error: unknown): void;
  /** Resets the pauses, because work that needs the system succeeded. */
  reset(): void;
}

/** Pauses in milliseconds. */
interface Pauses {
  readonly first: number;
  readonly longest: number;
}

/**
 * Creates a circuit breaker. The pauses between probes double, and each is shortened at random by up to half. They keep
 * doubling if work fails again after a successful probe: a disk may have room for the probe, but not for a document.
 * @param options.probe checks whether the system works again. Without a probe, the next work is tried instead
 * @param options.signal ends the probing
 * @param options.onChange called when work starts or stops waiting
 */
export function createCircuitBreaker(options: {
  outage: Outage;
  probe: (() => Promise<void>) | undefined;
  pauses: Pauses;
  signal: AbortSignal;
  onChange: (outage: Outage, isOpen: boolean) => void;
  log: Logger;
}): CircuitBreaker {
  const { outage, probe, pauses, signal, onChange, log } = options;
  let isOpen = false;
  /** Number of consecutive failures, of work and of probes. */
  let failures = 0;

  async function waitUntilItWorks(): Promise<void> {
    for (;;) {
      const longest = Math.min(pauses.first * 2 ** (failures - 1), pauses.longest);
      await setTimeout(longest * (0.5 + Math.random() / 2), undefined, { signal, ref: false });
      try {
        return await probe?.();
      } catch (error) {
        failures++;
        log.debug({ waitsFor: outage, err: error }, "dependency that jobs wait for is still unavailable");
      }
    }
  }

  async function open(): Promise<void> {
    isOpen = true;
    onChange(outage, true);
    await waitUntilItWorks();
    isOpen = false;
    onChange(outage, false);
    log.info({ waitsFor: outage }, "jobs resumed");
  }

  return {
    isOpen: () => isOpen,
    trip(error) {
      if (isOpen) return;
      failures++;
      log.warn({ waitsFor: outage, err: error }, "jobs paused: a dependency is unavailable");
      open().catch(() => {});
    },
    reset() {
      failures = 0;
    },
  };
}
