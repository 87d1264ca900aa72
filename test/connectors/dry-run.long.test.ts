import { afterEach, expect, test } from "vitest";
import { parsePlainRecord } from "#api/services/parse-plain-record.js";
import { eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { importRecords } from "#domain/learners/import-records.js";
import { API_OWNER } from "#domain/learners/owners.js";
import { CONNECTOR } from "#infrastructure/identity/actors.js";
import { type Academy, createAcademy, createChance } from "./academy.js";
import { type Bench, openBench } from "./bench.js";
import { change } from "./edits.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";

/** `DRY_RUNS=20` compares more sweeps. */
const ROUNDS = Number(process.env.DRY_RUNS ?? 4);

let lms: FakeOpenEdx;
let bench: Bench;
const { signal } = new AbortController();

afterEach(async () => {
  await bench.close();
  await lms.close();
});

/** Erases someone here, or has the API report someone before the platform does. */
async function interfere({ users }: Academy, draw: (below: number) => number): Promise<void> {
  const { database } = bench;
  const names = [...users.values()].map(({ username }) => username);
  const username = names[draw(names.length)] as string;
  if (draw(2) === 0) {
    const erasing = { username, dryRun: false, erasedBy: CONNECTOR };
    await eraseLearner(database, erasing, signal).catch(() => {}); // not everyone is known here
    return;
  }
  const record = parsePlainRecord(
    { kind: "learner", username, fullName: "Of the API" },
    new Date(),
    API_OWNER,
  );
  await importRecords(database, [record], signal);
}

test.each([1, 2, 3])("a dry run reports what the run then does, after any edits (seed %i)", async (seed) => {
  const academy = createAcademy({ courses: 3, learners: 25, paths: 1 });
  lms = await startFakeOpenEdx(academy);
  bench = await openBench(lms.url, { completion: "aggregator", paths: true, concurrency: 1 });
  const draw = createChance(seed);
  for (let round = 0; round < ROUNDS; round++) {
    const acceptsWithdrawals = draw(2) === 0;
    const { cost: _, ...dry } = await bench.sweep({ dryRun: true, acceptsWithdrawals });
    const { cost: __, ...real } = await bench.sweep({ acceptsWithdrawals });
    expect(dry, `round ${round}`).toEqual(real);
    for (let edit = 0; edit < 12; edit++) change(academy, draw);
    for (let times = draw(3); times > 0; times--) await interfere(academy, draw);
  }
});
