import { setTimeout as sleep } from "node:timers/promises";

interface RequestPaceOptions {
  readonly gap: number;
  readonly concurrency: number;
  /** Milliseconds after which one more concurrent request is permitted again. */
  readonly recovery: number;
  readonly signal: AbortSignal;
}

/** Decides when a request may be sent. */
export function createRequestPace({ gap, concurrency, recovery, signal }: RequestPaceOptions) {
  const state = { next: 0, holdUntil: 0, running: 0, limit: concurrency, loweredAt: 0 };
  const waiting: (() => void)[] = [];

  function currentLimit(): number {
    const recovered = Math.floor((Date.now() - state.loweredAt) / recovery);
    return Math.min(concurrency, state.limit + recovered);
  }

  async function waitForSlot(): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const now = Date.now();
      const from = Math.max(state.next, state.holdUntil);
      if (from <= now) {
        state.next = now + gap;
        return;
      }
      if (state.holdUntil <= now) {
        state.next = from + gap; // reserves this time slot
        await sleep(from - now, undefined, { signal });
        if (state.holdUntil <= Date.now()) return;
      } else await sleep(state.holdUntil - now, undefined, { signal });
    }
  }

  function leave(): void {
    state.running--;
    waiting.shift()?.();
  }

  return {
    async enter(): Promise<void> {
      while (state.running >= currentLimit()) await new Promise<void>((resolve) => waiting.push(resolve));
      state.running++;
      await waitForSlot().catch((error) => {
        leave();
        throw error;
      });
    },
    /** The caller must call this after each request. */
    leave,
    slowDown(): void {
      state.limit = Math.max(1, Math.floor(currentLimit() / 2));
      state.loweredAt = Date.now();
    },
    /** Pauses all requests. Returns by how many milliseconds this extends the current pause. */
    hold(ms: number): number {
      const now = Date.now();
      const before = Math.max(state.holdUntil, now);
      state.holdUntil = Math.max(before, now + ms);
      return state.holdUntil - before;
    },
  };
}
