import fc from "fast-check";
import { expect, test } from "vitest";
import { createFreshness } from "../../src/db/freshness.js";

const KEPT_MS = 4_000;

test("what a replica shows is never older than it is taken to be", () => {
  const steps = fc.array(
    fc.record({
      ms: fc.nat(1_000),
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
          freshness.note(askedAt, { history: "1", lsn: written });
        }
        replayed = Math.min(written, replayed + step.replayed);
        const asOf = freshness.asOf({ history: "1", lsn: replayed });
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
  freshness.note(1, { history: "cluster 1 timeline 1", lsn: 900 });
  expect(freshness.asOf({ history: "cluster 1 timeline 1", lsn: 1_000 })).toBe(1);
  freshness.note(2, { history: "cluster 1 timeline 2", lsn: 950 });
  expect(freshness.asOf({ history: "cluster 1 timeline 1", lsn: 1_000 })).toBeUndefined();
  expect(freshness.asOf({ history: "cluster 1 timeline 2", lsn: 900 })).toBeUndefined();
  expect(freshness.asOf({ history: "cluster 1 timeline 2", lsn: 950 })).toBe(2);
});

test("old positions are forgotten", () => {
  const freshness = createFreshness(KEPT_MS);
  for (let at = 0; at <= 10_000; at += 250) freshness.note(at, { history: "1", lsn: at });
  expect(freshness.asOf({ history: "1", lsn: 6_000 })).toBeUndefined();
  expect(freshness.asOf({ history: "1", lsn: 6_300 })).toBe(6_250);
});
