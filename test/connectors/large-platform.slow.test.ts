import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ended, startOn } from "../commands/run-command.js";
import { type Academy, createAcademy, enrol } from "./academy.js";
import { type Bench, openBench, PERSONAL } from "./bench.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";

/** `CONNECTOR_LEARNERS=100000` asks for as many as the largest platforms have, and takes an hour. */
vi.setConfig({ testTimeout: 60 * 60_000, hookTimeout: 60_000 });

const LEARNERS = Number(process.env.CONNECTOR_LEARNERS ?? 10_000);
const COURSES = 300;
const COURSES_OF_A_LEARNER = 3;
const MAX_RSS_MB = 400;

let academy: Academy;
let lms: FakeOpenEdx;
let bench: Bench;

beforeAll(async () => {
  academy = createAcademy({ courses: COURSES, learners: 0 });
  const courses = [...academy.courses];
  for (const [, course] of courses) course.subsections.splice(1);
  for (let id = 1; id <= LEARNERS; id++) {
    const user = { id, username: `learner${id}`, email: `learner${id}@secretmail.test` };
    academy.users.set(id, { ...user, name: `Zdenka${id} Qvortrup`, verifiedName: null, isActive: true });
    for (let count = 0; count < COURSES_OF_A_LEARNER; count++) {
      const [key] = courses[(id + count * 101) % COURSES] ?? [""];
      enrol(academy, key, id, (below) => (id * 7 + count) % below);
    }
  }
  lms = await startFakeOpenEdx(academy);
  lms.pageSize = 500;
  bench = await openBench(lms.url, { completion: "aggregator", concurrency: 4 });
});
afterAll(async () => {
  await bench.close();
  await lms.close();
});

/** Runs `connector sync`, and returns its report, the most memory that it held at a time, in MB, and its seconds. */
async function sync() {
  const startedAt = Date.now();
  const child = startOn({ ...bench.place, LOG_LEVEL: "trace" }, ["connector", "sync", "--json"]);
  let megabytes = 0;
  const watching = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    const [, peak = 0] = /VmHWM:\s+(\d+) kB/.exec(status) ?? [];
    megabytes = Math.max(megabytes, Number(peak) / 1024);
  }, 200);
  const { out, err } = await ended(child);
  clearInterval(watching);
  expect(out + err).not.toMatch(PERSONAL);
  expect(err).not.toContain("Error");
  return { report: JSON.parse(out), megabytes, seconds: (Date.now() - startedAt) / 1000 };
}

test("A13: many learners are read in bounded memory, and the second time nothing is written", async () => {
  const count = async (table: string) => {
    const { rows } = await bench.database.knex.raw("select count(*)::integer as count from ??", [table]);
    return rows[0].count;
  };
  const first = await sync();
  expect(first.report).toMatchObject({ state: "complete", failures: [] });
  expect(await count("learners")).toBe(LEARNERS);
  expect(await count("enrollments")).toBe(LEARNERS * COURSES_OF_A_LEARNER);
  const second = await sync();
  expect(second.report.state).toBe("complete");
  expect(Object.keys(second.report.tally).filter((what) => what.endsWith(".written"))).toEqual([]);
  const figures = [first, second].map(
    ({ megabytes, seconds }) => `${Math.round(megabytes)} MB, ${Math.round(seconds)} s`,
  );
  process.stderr.write(`${LEARNERS} learners: ${figures.join("; ")}; ${lms.asked.length} requests\n`);
  for (const { megabytes } of [first, second]) {
    expect(megabytes).toBeGreaterThan(50);
    expect(megabytes).toBeLessThan(MAX_RSS_MB);
  }
});
