import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFairSemaphore } from "#foundation/concurrency/semaphore.js";

/** Acquires slots one by one until the semaphore refuses. Returns the number of slots that the holder got. */
function fill(semaphore: ReturnType<typeof createFairSemaphore>, holder: string, share: number): number {
  let got = 0;
  while (semaphore.tryAcquire(holder, share)) got++;
  return got;
}

describe("a fair semaphore", () => {
  test.each([
    [1000, 1 / 4, 250],
    [1000, 1 / 2, 500],
    [10, 1 / 4, 2],
    [3, 1 / 2, 1],
    [2, 1 / 4, 1],
    [1, 1 / 4, 1],
    [1, 1 / 2, 1],
  ])("of %i gives a holder with a share of %d this many: %i", (size, share, expected) => {
    expect(fill(createFairSemaphore(size), "a", share)).toBe(expected);
  });

  test("leaves a slot for a new holder, however many others take their shares", () => {
    const semaphore = createFairSemaphore(1000);
    const got = Array.from({ length: 9 }, (_, i) => fill(semaphore, `holder ${i}`, 1 / 4));
    expect(got[0]).toBe(250);
    expect(got.at(-1)).toBeGreaterThan(10);
    for (let i = 0; i < 15; i++) expect(semaphore.tryAcquire(`newcomer ${i}`, 1 / 4)).toBe(true);
  });

  test("gives the last slot to a new holder, and then refuses everyone", () => {
    const semaphore = createFairSemaphore(2);
    expect(["a", "a", "b", "c"].map((holder) => semaphore.tryAcquire(holder, 1 / 4))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    semaphore.release("a");
    expect(["b", "c"].map((holder) => semaphore.tryAcquire(holder, 1 / 4))).toEqual([false, true]);
  });

  test("counts amounts, for example bytes", () => {
    const semaphore = createFairSemaphore(1000);
    expect(semaphore.tryAcquire("a", 1 / 4, 1001)).toBe(false);
    expect(semaphore.tryAcquire("a", 1 / 4, 200)).toBe(true);
    expect(semaphore.tryAcquire("a", 1 / 4, 60)).toBe(false);
    expect(semaphore.tryAcquire("a", 1 / 4, 50)).toBe(true);
    semaphore.release("a", 250);
    expect(semaphore.tryAcquire("b", 1 / 4, 1000)).toBe(true);
  });

  test("never gives more than it has, and has everything again after all is released", () => {
    const step = fc.record({
      holder: fc.constantFrom("a", "b", "c"),
      amount: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step), (size, steps) => {
        const semaphore = createFairSemaphore(size);
        const taken = steps.filter(({ holder, amount }) => semaphore.tryAcquire(holder, 1 / 2, amount));
        expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(size);
        for (const { holder, amount } of taken) semaphore.release(holder, amount);
        expect(semaphore.tryAcquire("a", 1 / 4, size)).toBe(true);
      }),
    );
  });
});
