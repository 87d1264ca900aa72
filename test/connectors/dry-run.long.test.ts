import { afterEach, expect, test } from "vitest";
import { eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { importRecords } from "#domain/learners/import-records.js";
import { API_OWNER } from "#domain/learners/owners.js";
import { parsePlainRecord } from "#domain/learners/parse-record.js";
import { CONNECTOR } from "#infrastructure/identity/actors.js";
import { type Bench, openBench } from "./bench.js";
import { change } from "./edits.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";
import { written } from "./known.js";
import { createChance, createPlatformData, type PlatformData } from "./platform-data.js";

/** `DRY_RUNS=20` compares more sweeps. */
const ROUNDS = Number(process.env.DRY_RUNS ?? 4);

let lms: FakeOpenEdx;
let bench: Bench;
const { signal } = new AbortController();

afterEach(async () => {
  await bench.close();
  await lms.close();
});

/** Erases a learner in the service, or reports a learner over the API before the platform reports that learner. */
async function interfere({ users }: PlatformData, draw: (below: number) => number): Promise<void> {
  const { database } = bench;
  const names = [...users.values()].map(({ username }) => username);
  const username = names[draw(names.length)] as string;
  if (draw(2) === 0) {
    const erasing = { username, dryRun: false, erasedBy: CONNECTOR };
    await eraseLearner(bench, erasing, signal).catch(() => {}); // the service doesn't know every learner
    return;
  }
  const record = parsePlainRecord(
    { kind: "learner", username, fullName: "Of the API" },
    new Date(),
    API_OWNER,
  );
  await importRecords(database, [record], signal);
}

/** Returns the database's records of learners, and the state that sweeps keep. */
async function stored(): Promise<unknown> {
  const { knex } = bench.database;
  const memory = "people enrollments contexts subsections clashes stages sweeps hints"
    .split(" ")
    .map(async (table) => {
      const { rows } = await knex.raw(`select kept::text as row from connector_${table} as kept order by 1`);
      return rows;
    });
  return [await written(knex), await Promise.all(memory)];
}

test.each([1, 2, 3])("a dry run reports what the run then does, after any edits (seed %i)", async (seed) => {
  const academy = createPlatformData({ courses: 3, learners: 25, paths: 1 });
  lms = await startFakeOpenEdx(academy);
  bench = await openBench(lms.url, { completion: "aggregator", paths: true, concurrency: 1 });
  const draw = createChance(seed);
  for (let round = 0; round < ROUNDS; round++) {
    const acceptsWithdrawals = draw(2) === 0;
    const before = await stored();
    const { cost: _, ...dry } = await bench.sweep({ dryRun: true, acceptsWithdrawals });
    expect(await stored(), `round ${round}`).toEqual(before);
    const { cost: __, ...real } = await bench.sweep({ acceptsWithdrawals });
    expect(dry, `round ${round}`).toEqual(real);
    for (let edit = 0; edit < 12; edit++) change(academy, draw);
    for (let times = draw(3); times > 0; times--) await interfere(academy, draw);
  }
});

test("a dry run doesn't delay the erasure or change of learners that it would change", async () => {
  const academy = createPlatformData({ courses: 3, learners: 25, paths: 1 });
  lms = await startFakeOpenEdx(academy);
  bench = await openBench(lms.url, { completion: "aggregator", paths: true });
  await bench.sweep();
  for (const user of academy.users.values()) user.name = `Changed${user.id} Name`;
  const [first, second] = [...academy.users.values()].map(({ username }) => username);
  const done: string[] = [];
  const others: Promise<unknown>[] = [];
  const { state, tally } = await bench.sweep({
    dryRun: true,
    onPage({ stage, pages }) {
      if (others.length > 0 || pages < 8) return;
      const erasing = { username: first as string, dryRun: false, erasedBy: CONNECTOR };
      const fact = { kind: "enrollment", username: second as string, isActive: false } as const;
      const [learningContextKey = ""] = academy.courses.keys();
      const record = parsePlainRecord({ ...fact, learningContextKey }, new Date());
      others.push(
        eraseLearner(bench, erasing, signal)
          .then(() => importRecords(bench.database, [record], signal))
          .then(() => done.push(`others, at ${stage}`)),
      );
    },
  });
  done.push("dry run");
  await Promise.all(others);
  expect(done).toEqual([expect.stringMatching(/^others, at /), "dry run"]);
  expect({ state, written: tally["learner.written"] }).toEqual({
    state: "complete",
    written: expect.any(Number),
  });
});
