import { afterEach, expect, test, vi } from "vitest";
import { endedWithPeak, startOn } from "../commands/run-command.js";
import { type Bench, openBench, PERSONAL } from "./bench.js";
import { addSiteUser, compute, createSite, enrolIn, type Site } from "./canvas-site.js";
import { startFakeCanvas } from "./fake-canvas.js";
import { startFakeOneRoster } from "./fake-oneroster.js";
import { startFakeOpenEdx } from "./fake-open-edx.js";
import type { FaultyServer } from "./faulty-server.js";
import { attends, createOneRosterSite } from "./oneroster-site.js";
import { createChance, createPlatformData, enrol } from "./platform-data.js";

/** `CONNECTOR_LEARNERS=100000` tests with as many learners as the largest platforms have, and takes an hour. */
vi.setConfig({ testTimeout: 60 * 60_000, hookTimeout: 60_000 });

const LEARNERS = Number(process.env.CONNECTOR_LEARNERS ?? 10_000);
const COURSES = 300;
const COURSES_OF_A_LEARNER = 3;
const MAX_RSS_MB = 400;

/**
 * Most of what is read from Canvas is submissions. With 100,000 learners, there are no submissions, and one course per
 * learner.
 */
const OF_CANVAS = process.env.CONNECTOR_LEARNERS
  ? { learners: LEARNERS, parts: LEARNERS <= 20_000, courses: LEARNERS <= 20_000 ? 3 : 1 }
  : { learners: 2_000, parts: true, courses: 1 };

let server: FaultyServer;
let bench: Bench;

afterEach(async () => {
  await bench.close();
  await server.close();
});

interface Size {
  readonly learners: number;
  readonly enrolments: number;
}

async function openEdx(): Promise<Size> {
  const academy = createPlatformData({ courses: COURSES, learners: 0 });
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
  server = Object.assign(await startFakeOpenEdx(academy), { pageSize: 500 });
  bench = await openBench(server.url, { completion: "aggregator", concurrency: 4 });
  return { learners: LEARNERS, enrolments: LEARNERS * COURSES_OF_A_LEARNER };
}

/**
 * Opens a Canvas with a third of all learners in the first course. This course has as many pages as the largest known
 * courses.
 */
async function openCanvas(): Promise<Size> {
  const site: Site = createSite({ courses: COURSES, learners: 0 });
  const courses = [...site.courses.values()];
  const draw = createChance(1);
  for (let number = 1; number <= OF_CANVAS.learners; number++) {
    const user = addSiteUser(site, number);
    for (let count = 0; count < OF_CANVAS.courses; count++) {
      const course = courses[(number % 3 === 0 ? 0 : number + count * 101) % COURSES];
      if (course && !course.met.has(user.id)) enrolIn(course, user.id, draw);
    }
  }
  for (const course of courses) compute(course);
  server = await startFakeCanvas(site);
  bench = await openBench(server.url, {
    type: "canvas",
    completion: true,
    parts: OF_CANVAS.parts,
    concurrency: 4,
  });
  const enrolments = courses.reduce((sum, course) => sum + course.enrolments.length, 0);
  return { learners: OF_CANVAS.learners, enrolments };
}

/** Opens a school with classes, and one class with all learners of the first year. */
async function openOneRoster(): Promise<Size> {
  const { learners } = OF_CANVAS;
  const site = createOneRosterSite({ classes: Math.ceil(learners / 300), students: 0 });
  const classes = [...site.classes.values()];
  for (let number = 1; number <= learners; number++) {
    const one = classes[number % 10 === 0 ? 0 : number % classes.length];
    if (one) attends(site, one, number);
  }
  server = await startFakeOneRoster(site);
  const grades = { final_line_item: "Final", categories: true };
  bench = await openBench(server.url, { type: "oneroster", concurrency: 4, ...grades });
  return { learners, enrolments: learners };
}

/** Runs `connector sync`. Returns its report, its peak memory in MB, and its duration in seconds. */
async function sync() {
  const startedAt = Date.now();
  const child = startOn({ ...bench.place, LOG_LEVEL: "trace" }, ["connector", "sync", "--json"]);
  const { out, err, megabytes } = await endedWithPeak(child);
  expect(out + err).not.toMatch(PERSONAL);
  expect(err).not.toContain("Error");
  return { report: JSON.parse(out), megabytes, seconds: (Date.now() - startedAt) / 1000 };
}

test.each([
  ["Open edX", openEdx],
  ["Canvas", openCanvas],
  ["OneRoster", openOneRoster],
])(
  "%s: many learners are read in bounded memory, and the second time nothing is written",
  async (name, open) => {
    const { learners, enrolments } = await open();
    const count = async (table: string) => {
      const { rows } = await bench.database.knex.raw("select count(*)::integer as count from ??", [table]);
      return rows[0].count;
    };
    const first = await sync();
    expect(first.report).toMatchObject({ state: "complete", failures: [] });
    expect(await count("learners")).toBe(learners);
    expect(await count("enrollments")).toBe(enrolments);
    const second = await sync();
    expect(second.report.state).toBe("complete");
    expect(Object.keys(second.report.tally).filter((what) => what.endsWith(".written"))).toEqual([]);
    const figures = [first, second].map(
      ({ megabytes, seconds }) => `${megabytes} MB, ${Math.round(seconds)} s`,
    );
    process.stderr.write(
      `${name}, ${learners} learners: ${figures.join("; ")}; ${server.received.length} requests\n`,
    );
    for (const { megabytes } of [first, second]) {
      expect(megabytes).toBeGreaterThan(50);
      expect(megabytes).toBeLessThan(MAX_RSS_MB);
    }
  },
);
