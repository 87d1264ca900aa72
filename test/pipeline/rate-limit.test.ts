import { afterEach, describe, expect, test, vi } from "vitest";
import { createRateLimit } from "#api/pipeline/rate-limit.js";
import { heapGrowth } from "../support/kept-on-heap.js";

describe("a rate limit", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("admits this many calls of each client a minute, and says when the next is admitted", () => {
    vi.useFakeTimers();
    const limit = createRateLimit(3);
    expect([1, 2, 3].map(() => limit.take("a"))).toEqual([undefined, undefined, undefined]);
    vi.advanceTimersByTime(20_500);
    expect(limit.take("a")).toBe(40);
    expect(limit.take("b")).toBeUndefined();
    vi.advanceTimersByTime(39_400);
    expect(limit.take("a")).toBe(1);
    vi.advanceTimersByTime(100);
    expect([1, 2, 3, 4].map(() => limit.take("a"))).toEqual([undefined, undefined, undefined, 60]);
  });

  test("limits calls for a whole minute, whenever it started", () => {
    vi.useFakeTimers();
    const limit = createRateLimit(1);
    for (let second = 0; second < 200; second += 7) {
      expect(limit.take(`from ${second}`)).toBeUndefined();
      vi.advanceTimersByTime(7_000);
      expect(limit.take(`from ${second}`)).toBe(53);
    }
  });

  test("of 0 admits every call", () => {
    const limit = createRateLimit(0);
    const waits = Array.from({ length: 10_000 }, () => limit.take("a"));
    expect(waits.filter((seconds) => seconds !== undefined)).toEqual([]);
  });

  test("remembers a bounded number of clients, and continues to limit them", () => {
    const limit = createRateLimit(1);
    const { size } = heapGrowth(() => {
      for (let i = 0; i < 300_000; i++) limit.take(`2001:db8:${i}::/64`);
    });
    expect(size).toBeLessThan(25e6);
    expect([limit.take("a"), limit.take("a")]).toEqual([undefined, 60]);
  });
});
