import fc from "fast-check";
import { expect, test } from "vitest";
import { createFreshness, type Reading } from "#infrastructure/db/freshness.js";

const KEPT_MS = 4_000;

/** A reading of a server whose clock is right. */
function reading(askedAt: number, history: string, lsn: number, more: Partial<Reading> = {}): Reading {
  return { history, lsn, clock: askedAt, askedAt, answeredAt: askedAt, ...more };
}

test("what a replica shows is never older than it is taken to be", () => {
  const steps = fc.array(
    fc.record({
      ms: fc.integer({ min: 1, max: 1_000 }), // what happens at one moment has no order
      written: fc.nat(20),
      replayed: fc.nat(30),
      isAsked: fc.boolean(),
      answersAfter: fc.nat(300),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (told) => {
      const freshness = createFreshness(KEPT_MS);
      let now = 0;
      let written = 0;
      let replayed = 0;
      const history: { readonly at: number; readonly lsn: number }[] = [{ at: 0, lsn: 0 }];
      for (const step of told) {
        now += step.ms;
        written += step.written;
        history.push({ at: now, lsn: written });
        if (step.isAsked) {
          const askedAt = now;
          now += step.answersAfter;
          freshness.note(reading(askedAt, "1", written, { answeredAt: now }));
        }
        replayed = Math.min(written, replayed + step.replayed);
        const asOf = freshness.asOf(reading(now, "1", replayed));
        if (asOf === undefined) continue;
        const writtenBy = history.findLast(({ at }) => at <= asOf)?.lsn ?? 0;
        expect(replayed).toBeGreaterThanOrEqual(writtenBy);
        expect(asOf).toBeLessThanOrEqual(now);
      }
    }),
  );
});

test("positions of another history say nothing, and a new one replaces all", () => {
  const freshness = createFreshness(KEPT_MS);
  freshness.note(reading(1, "cluster 1 timeline 1", 900));
  expect(freshness.asOf(reading(0, "cluster 1 timeline 1", 1_000))).toBe(1);
  freshness.note(reading(2, "cluster 1 timeline 2", 950));
  expect(freshness.asOf(reading(0, "cluster 1 timeline 1", 1_000))).toBeUndefined();
  expect(freshness.asOf(reading(0, "cluster 1 timeline 2", 900))).toBeUndefined();
  expect(freshness.asOf(reading(0, "cluster 1 timeline 2", 950))).toBe(2);
});

test("old positions are forgotten", () => {
  const freshness = createFreshness(KEPT_MS);
  for (let at = 0; at <= 10_000; at += 250) freshness.note(reading(at, "1", at));
  expect(freshness.asOf(reading(0, "1", 6_000))).toBeUndefined();
  expect(freshness.asOf(reading(0, "1", 6_300))).toBe(6_250);
});

test("clocks differ only by what the time of the answers does not explain", () => {
  const freshness = createFreshness(KEPT_MS);
  freshness.note(reading(1_000, "1", 1, { clock: 51_000, answeredAt: 1_200 }));
  const difference = (clock: number, askedAt = 2_000, answeredAt = 2_100) =>
    freshness.clockDifference(reading(askedAt, "1", 1, { clock, answeredAt }));
  expect(difference(52_000)).toBe(0);
  expect(difference(52_100)).toBe(0);
  expect(difference(53_000)).toBe(900);
  expect(difference(48_000)).toBe(3_800);
  expect(difference(53_000, 1_000, 5_000)).toBe(0);
});
