import { expect, it } from "vitest";
import { createSizedCache } from "#foundation/concurrency/sized-cache.js";

/** Returns a cache for texts of ten characters in total, and the keys that were read. */
function givenCache() {
  const cached = createSizedCache<string>(10, (text) => text.length);
  const keys: string[] = [];
  const read = (key: string, reading: () => Promise<string>) =>
    cached(key, () => {
      keys.push(key);
      return reading();
    });
  return { read, keys };
}

/** Returns a promise that is settled by its functions. */
function givenPromise() {
  let resolve: (text: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((...functions) => {
    [resolve, reject] = functions;
  });
  return { promise, resolve, reject };
}

const textOf = (length: number) => async () => "x".repeat(length);

it("concurrent callers share one reading", async () => {
  const { read, keys } = givenCache();
  await Promise.all([read("a", textOf(4)), read("a", textOf(4))]);
  expect(await read("a", textOf(4))).toBe("xxxx");
  expect(keys).toEqual(["a"]);
});

it("the cache is cleared when its results exceed the limit", async () => {
  const { read, keys } = givenCache();
  for (const key of ["a", "b", "a"]) await read(key, textOf(6));
  expect(keys).toEqual(["a", "b", "a"]);
});

it("a failure is not cached", async () => {
  const { read, keys } = givenCache();
  await expect(read("a", () => Promise.reject(new Error("unavailable")))).rejects.toThrow("unavailable");
  expect(await read("a", textOf(4))).toBe("xxxx");
  expect(keys).toEqual(["a", "a"]);
});

it("a reading that ends after the cache was cleared doesn't count against the limit", async () => {
  const { read, keys } = givenCache();
  const { promise, resolve } = givenPromise();
  const slow = read("slow", () => promise);
  await read("large", textOf(11));
  resolve("x".repeat(6));
  await slow;
  await read("a", textOf(5));
  await read("a", textOf(5));
  expect(keys).toEqual(["slow", "large", "a"]);
});

it("a reading that fails after the cache was cleared doesn't remove a newer one", async () => {
  const { read, keys } = givenCache();
  const { promise, reject } = givenPromise();
  const slow = read("a", () => promise);
  await read("large", textOf(11));
  await read("a", textOf(5));
  reject(new Error("unavailable"));
  await expect(slow).rejects.toThrow("unavailable");
  await read("a", textOf(5));
  expect(keys).toEqual(["a", "large", "a"]);
});
