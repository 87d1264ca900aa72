import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLimiter } from "#foundation/concurrency/limiter.js";

const patient = new AbortController().signal;

/** Tasks that end on demand. */
class Gates {
  readonly #opens = new Map<string, () => void>();

  wait(name: string): Promise<void> {
    return new Promise((open) => this.#opens.set(name, open));
  }

  open(name: string): void {
    this.#opens.get(name)?.();
  }
}

describe("a limiter", () => {
  test("runs a limited number of tasks at a time, in order of arrival, whether they succeed or not", async () => {
    const takeTurn = createLimiter(2);
    const began: number[] = [];
    let running = 0;
    let most = 0;
    const tasks = Array.from({ length: 9 }, (_, task) =>
      takeTurn(patient, async () => {
        began.push(task);
        most = Math.max(most, ++running);
        await sleep(1);
        running--;
        if (task % 3 === 0) throw new Error(String(task));
        return task;
      }),
    );
    const outcomes = await Promise.allSettled(tasks);
    expect(began).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(most).toBe(2);
    expect(outcomes.map(({ status }) => status === "rejected")).toEqual(began.map((task) => task % 3 === 0));
  });

  test("lets other tasks pass a slow one, and frees its slot once", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const takeTurn = createLimiter(1, 100);
    const gates = new Gates();
    const began: string[] = [];
    const [slow, second, third] = ["slow", "second", "third"].map((name) =>
      takeTurn(patient, () => {
        began.push(name);
        return gates.wait(name);
      }),
    );
    await vi.advanceTimersByTimeAsync(99);
    expect(began).toEqual(["slow"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(began).toEqual(["slow", "second"]);
    gates.open("slow");
    await Promise.all([slow, vi.advanceTimersByTimeAsync(0)]);
    expect(began).toEqual(["slow", "second"]);
    gates.open("second");
    await Promise.all([second, vi.advanceTimersByTimeAsync(0)]);
    expect(began).toEqual(["slow", "second", "third"]);
    gates.open("third");
    await third;
  });

  test("removes tasks whose callers give up from the queue", async () => {
    const takeTurn = createLimiter(1);
    const gates = new Gates();
    const first = takeTurn(patient, () => gates.wait("first"));
    const leaving = new AbortController();
    const second = takeTurn(leaving.signal, () => expect.unreachable());
    const third = takeTurn(patient, async () => "third");
    leaving.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    gates.open("first");
    await first;
    expect(await third).toBe("third");
  });
});
