import { expect, it } from "vitest";
import { memoized } from "#foundation/concurrency/memoized.js";

it("concurrent and later callers share one result for each key", async () => {
  const read: string[] = [];
  const lengthOf = memoized(
    async (text: string) => {
      read.push(text);
      return text.length;
    },
    { keyOf: (text) => text.toLowerCase() },
  );
  expect(await Promise.all([lengthOf("a"), lengthOf("A"), lengthOf("bc")])).toEqual([1, 1, 2]);
  expect(await lengthOf("BC")).toBe(2);
  expect(read).toEqual(["a", "bc"]);
});

it("a failure is not cached", async () => {
  let attempts = 0;
  const open = memoized(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("not yet");
    return attempts;
  });
  await expect(Promise.all([open(), open()])).rejects.toThrow("not yet");
  expect(await open()).toBe(2);
  expect(await open()).toBe(2);
});

it("the oldest result is removed first", async () => {
  const read: number[] = [];
  const double = memoized(
    async (number: number) => {
      read.push(number);
      return 2 * number;
    },
    { limit: 2 },
  );
  for (const number of [1, 2, 3, 3, 2, 1]) expect(await double(number)).toBe(2 * number);
  expect(read).toEqual([1, 2, 3, 1]);
});
