import { afterEach, expect, test } from "vitest";
import { readStatus } from "#domain/connectors/status.js";
import { type Bench, openBench } from "./bench.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";
import { expectNothingNew } from "./known.js";
import { createPlatformData, type PlatformCourse, type PlatformData } from "./platform-data.js";

/* Data that the LMS omits from a response that looks complete. */

const COURSE = "course-v1:Uni+C1+2026";
const EXAM = "block-v1:Uni+C1+2026+type@sequential+block@exam";
const FINAL = "block-v1:Uni+C1+2026+type@sequential+block@final";

let academy: PlatformData;
let course: PlatformCourse;
let lms: FakeOpenEdx;
let bench: Bench;

async function open(settings: Record<string, unknown> = {}) {
  academy = createPlatformData({ courses: 1, learners: 12, paths: 0 });
  course = academy.courses.get(COURSE) as PlatformCourse;
  for (const member of course.members.values()) member.isActive = true;
  lms = await startFakeOpenEdx(academy);
  bench = await openBench(lms.url, settings);
}

afterEach(async () => {
  await bench.close();
  await lms.close();
});

async function shareOf(username: string, type: string): Promise<number | null> {
  const { rows } = await bench.database.knex.raw(
    `select (sum(earned) / nullif(sum(possible), 0))::float8 as share from subsection_grades
     where username = ? and assignment_type = ? and not is_deleted`,
    [username, type],
  );
  return rows[0].share;
}

test("a final exam that is hidden from the outline of the course is part of the exams, attempted or not", async () => {
  await open();
  course.subsections.push({ key: FINAL, type: "Exam", possible: 50, isUnlisted: true });
  const [one, other] = [...course.members.entries()] as [[number, never], [number, never]];
  for (const [, { scores }] of [one, other] as [number, { scores: Map<string, number> }][]) {
    scores.set(EXAM, 50);
    scores.delete(FINAL);
  }
  (other as [number, { scores: Map<string, number> }])[1].scores.set(FINAL, 50);
  expect(await bench.sweep()).toMatchObject({ state: "complete", withheld: [] });
  expect(await shareOf(`learner${one[0]}`, "exam")).toBe(0.5);
  expect(await shareOf(`learner${other[0]}`, "exam")).toBe(1);
  await expectNothingNew(bench);
});

test("completion is unknown while sections are not released, and the course is named", async () => {
  await open({ completion: "aggregator" });
  const [first] = course.subsections;
  if (!first) throw new Error("there is no subsection");
  for (const member of course.members.values()) member.completion = 1;
  await bench.sweep();
  const known = () => bench.database.knex("completions").where({ is_deleted: false });
  expect(await known()).toHaveLength(12);
  first.startsAt = new Date(Date.now() + 86_400_000).toISOString();
  const reason =
    "completion: 1 of 4 sections and subsections are not released yet, and completion-aggregator leaves them out";
  expect(await bench.sweep()).toMatchObject({
    state: "complete",
    withheld: [{ scope: COURSE, reason }],
  });
  expect(await known()).toHaveLength(0);
  expect((await readStatus(bench.database.knex, "lms")).withheld).toMatchObject([{ error: reason }]);
  first.startsAt = "2026-01-01T00:00:00Z";
  expect(await bench.sweep()).toMatchObject({ state: "complete", withheld: [] });
  expect(await known()).toHaveLength(12);
});

test("passing and letters are those of the LMS, whatever the total", async () => {
  await open();
  const [id] = course.members.keys();
  lms.rewrite = ({ url }, reply) => {
    if (!url.pathname.startsWith("/api/grades/v1/courses/")) return reply;
    const body = reply.body as { results: { username: string; passed: boolean; letter_grade: string }[] };
    for (const row of body.results)
      if (row.username === `learner${id}`)
        Object.assign(row, { percent: 0.1, passed: true, letter_grade: "B" });
    return reply;
  };
  course.cutoffs = { C: 0.5, A: 0.9, B: 0.7, F: 0 };
  await bench.sweep();
  const { knex } = bench.database;
  expect(await knex("courses").pluck("letter_grades")).toEqual([["A", "B", "C", "F"]]);
  expect(await knex("course_grades").where({ username: `learner${id}` })).toMatchObject([
    { percent: "0.1", passed: true, letter: "B" },
  ]);
});

test("languages chosen by learners are read if enabled in the settings; invalid ones are left out", async () => {
  await open({ languages: true });
  const [one, two, three] = academy.users.values();
  Object.assign(one as object, { language: "pt-br" });
  Object.assign(two as object, { language: "es-419" });
  Object.assign(three as object, { language: "not a language" });
  await bench.sweep();
  const rows = await bench.database.knex("learners").whereNot({ locale: "" }).orderBy("username");
  expect(rows.map(({ username, locale }) => [username, locale])).toEqual(
    [
      [one?.username, "pt-BR"],
      [two?.username, "es-419"],
    ].sort(),
  );
});
