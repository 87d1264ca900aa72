import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Outage } from "../errors.js";

/** Keeps work from being tried in vain while something that it needs is out of reach. */
export interface CircuitBreaker {
  /** Whether work that needs it should wait. */
  isOpen(): boolean;
  /** Work has failed for want of it: other work waits until a look has shown that it works again. */
  trip(error: unknown): void;
  /** Work that needs it was done. */
  reset(): void;
}

/** In milliseconds. */
export interface Pauses {
  readonly first: number;
  readonly longest: number;
}

/**
 * Creates a breaker. The pauses between looks double, each of a random length down to its half, and go on doubling when
 * work fails again though the look went well: a disk may have room for little, and not for a document.
 * @param options.probe looks whether it works; without one, the next work that needs it finds out
 * @param options.signal ends the looking
 * @param options.onChange learns whether work waits
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
  /** In a row, of work and of looks. */
  let failures = 0;

  async function waitUntilItWorks(): Promise<void> {
    for (;;) {
      const longest = Math.min(pauses.first * 2 ** (failures - 1), pauses.longest);
      await setTimeout(longest * (0.5 + Math.random() / 2), undefined, { signal, ref: false });
      try {
        return await probe?.();
      } catch (error) {
        failures++;
        log.debug({ waitsFor: outage, err: error }, "what jobs wait for does not work yet");
      }
    }
  }

  async function open(): Promise<void> {
    isOpen = true;
    onChange(outage, true);
    await waitUntilItWorks();
    isOpen = false;
    onChange(outage, false);
    log.info({ waitsFor: outage }, "jobs go on");
  }

  return {
    isOpen: () => isOpen,
    trip(error) {
      if (isOpen) return;
      failures++;
      log.warn({ waitsFor: outage, err: error }, "jobs wait, as something that they need does not work");
      open().catch(() => {}); // the worker ends
    },
    reset() {
      failures = 0;
    },
  };
}
