import { afterEach, describe, expect, test } from "vitest";
import { type Bench, openBench } from "./bench.js";
import { type Campus, createCampus, projected } from "./campus.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";
import { known, written } from "./known.js";

let campus: Campus;
let lms: FakeOpenEdx;
let bench: Bench;

async function open(size = { courses: 5, learners: 60, paths: 2 }, more: Record<string, unknown> = {}) {
  campus = createCampus(size);
  lms = await startFakeOpenEdx(campus);
  bench = await openBench(lms.url, { completion: "aggregator", paths: true, ...more });
}

afterEach(async () => {
  await bench.close();
  await lms.close();
});

const expectEqual = async () =>
  expect(await known(bench.database.knex)).toEqual(projected(campus, { completion: true }));

describe("a sweep", () => {
  test("A1: makes the database equal to the platform", async () => {
    await open({ courses: 5, learners: 300, paths: 2 });
    const report = await bench.sweep();
    expect(report).toMatchObject({ state: "complete", failures: [], held: 0 });
    expect(await known(bench.database.knex)).toHaveLength(projected(campus, { completion: true }).length);
    await expectEqual();
  });

  test("A2: writes nothing the second time, with the same requests", async () => {
    await open(undefined, { concurrency: 1 }); // the order of two courses at a time is left to chance
    await bench.sweep();
    const before = await written(bench.database.knex);
    const first = lms.asked
      .splice(0)
      .map(({ url }) => url.href)
      .sort();
    const report = await bench.sweep();
    expect(report.state).toBe("complete");
    expect(Object.keys(report.tally).filter((what) => what.endsWith(".written"))).toEqual([]);
    expect(await written(bench.database.knex)).toEqual(before);
    expect(lms.asked.map(({ url }) => url.href).sort()).toEqual(first);
  });
});
