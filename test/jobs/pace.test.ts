import { expect, onTestFinished, test } from "vitest";
import { createPace } from "#infrastructure/jobs/pace.js";

/** A pace with more jobs than it ever starts. The jobs end with the test. */
function openPace({ most = 8, least = 2 } = {}) {
  let reads = 0;
  let begun = 0;
  const ends: (() => void)[] = [];
  const limits: number[] = [];
  const pace = createPace({ most, least, reads: () => reads, onLimit: (limit) => limits.push(limit) });
  const all = Array.from({ length: 2 * most }, () =>
    pace.run(() => {
      begun++;
      return new Promise<void>((resolve) => void ends.push(resolve));
    }),
  );
  const end = () => ends.shift()?.();
  onTestFinished(async () => {
    const ending = setInterval(end, 1);
    await Promise.all(all);
    clearInterval(ending);
  });
  return { limits, end, begun: () => begun, read: () => void reads++ };
}

/** Blocks the process, as work on its main thread or a lack of processors does. */
function beLate(): void {
  for (const until = performance.now() + 30; performance.now() < until; );
}

test("a run starts with few jobs, and soon has its maximum", async () => {
  const { begun, limits } = openPace();
  await expect.poll(begun).toBe(8);
  expect(limits).toEqual([8]);
});

test("a late process falls back to few jobs while callers read, and those continue", async () => {
  const { begun, end, limits, read } = openPace();
  await expect.poll(begun).toBe(8);
  const reading = setInterval(() => {
    read();
    beLate();
  }, 40);
  onTestFinished(() => clearInterval(reading));
  await expect.poll(() => limits.at(-1)).toBe(2);
  for (let ended = 0; ended < 6; ended++) end();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(begun()).toBe(8); // two more jobs could start
  end();
  await expect.poll(begun).toBe(9);
  clearInterval(reading);
  await expect.poll(() => limits.at(-1)).toBe(8);
});

test("a late process without callers continues as before", async () => {
  const { begun, limits } = openPace();
  const working = setInterval(beLate, 40);
  onTestFinished(() => clearInterval(working));
  await expect.poll(begun).toBe(8);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(limits).toEqual([8]);
});

test("a failing job makes room like a successful one", async () => {
  const pace = createPace({ most: 1, least: 1, reads: () => 0 });
  await expect(pace.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await pace.run(async () => "next")).toBe("next");
});
