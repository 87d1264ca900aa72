import { afterEach, expect, test } from "vitest";
import { runSweep } from "#domain/connectors/sweep/run-sweep.js";
import { type Bench, openBench } from "./bench.js";
import { createSite, keyOf, type Site, type SiteCourse, siteLines } from "./canvas-site.js";
import { startFakeCanvas } from "./fake-canvas.js";
import { startFakeOneRoster } from "./fake-oneroster.js";
import type { FaultyServer } from "./faulty-server.js";
import { expectNothingNew, known } from "./known.js";
import { createOneRosterSite, type SiteClass, type SiteResult } from "./oneroster-site.js";

/* Letter grades, their scales and languages, on Canvas and OneRoster. */

let server: FaultyServer;
let bench: Bench;

afterEach(async () => {
  await bench.close();
  await server.close();
});

async function openCanvas(change: (course: SiteCourse) => void, learners = 20): Promise<Site> {
  const site = createSite({ courses: 2, learners });
  for (const course of site.courses.values()) change(course);
  server = await startFakeCanvas(site);
  bench = await openBench(server.url, { type: "canvas" });
  return site;
}

const scales = () =>
  bench.database.knex("courses").orderBy("course_key").pluck("letter_grades") as Promise<string[][]>;

test("Canvas: letters are those of final scores, including overridden ones, and the scale is the course's", async () => {
  const scheme = [
    ["Très bien", 0.8],
    ["Bien", 0.4],
    ["Insuffisant", 0],
  ] as const;
  const site = await openCanvas((course) => {
    course.scheme = scheme;
    const [first] = course.enrolments;
    if (first) course.overrides.set(first.userId, 12);
  });
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect(await known(bench.database.knex)).toEqual(siteLines(site, { completion: false, parts: false }));
  const letters = scheme.map(([letter]) => letter);
  expect(await scales()).toEqual([letters, letters]);
  await expectNothingNew(bench);
});

test("Canvas: its default scheme is known without a request, and a course without a scheme has no letters", async () => {
  let at = 0;
  await openCanvas((course) => {
    if (++at === 1) course.scheme = "default";
  });
  await bench.sweep();
  const [scale, none] = await scales();
  expect(scale).toEqual(["A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "F"]);
  expect(none).toEqual([]);
  expect(server.received.filter(({ url }) => url.pathname.includes("grading_standards"))).toEqual([]);
});

test("Canvas: if a scheme can't be read, the scale is unknown, and letters stay", async () => {
  const site = await openCanvas((course) => {
    course.scheme = [["Pass", 0]];
  });
  const [course] = [...site.courses.values()];
  const letters = async () => {
    const rows = bench.database.knex("course_grades").where({ course_key: keyOf(course as SiteCourse) });
    return [...new Set(await rows.pluck("letter"))];
  };
  await bench.sweep();
  expect([await scales(), await letters()]).toEqual([[["Pass"], ["Pass"]], ["Pass"]]);
  server.fault = ({ url }) =>
    url.pathname.includes("grading_standards")
      ? { status: 403, body: { errors: [{ message: "user not authorized to perform that action" }] } }
      : undefined;
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect([await scales(), await letters()]).toEqual([[[], []], ["Pass"]]);
});

test("Canvas: the language chosen by a learner is used; an invalid one is left out", async () => {
  const site = await openCanvas(() => {}, 8);
  const [one, two, three] = [...site.users.values()];
  Object.assign(one as object, { locale: "pt-BR" });
  Object.assign(two as object, { locale: "en_AU" });
  Object.assign(three as object, { locale: "en-AU-x-unimelb-toolong-and-more-than-that" });
  await bench.sweep();
  const rows = await bench.database.knex("learners").whereNot({ locale: "" });
  const expected = [
    [one?.login, "pt-BR"],
    [two?.login, "en-AU"],
  ];
  expect(rows.map(({ username, locale }) => [username, locale]).sort()).toEqual(expected.sort());
});

test("Canvas: completion is unknown while requirements of modules are not published, and the course is named", async () => {
  const site = createSite({ courses: 2, learners: 20 });
  server = await startFakeCanvas(site);
  bench = await openBench(server.url, { type: "canvas", completion: true });
  const [course, other] = [...site.courses.values()] as [SiteCourse, SiteCourse];
  other.unpublished = [0]; // a module that only teachers see, without requirements
  await bench.sweep();
  const known = (of: SiteCourse) =>
    bench.database.knex("completions").where({ course_key: keyOf(of), is_deleted: false });
  const [before, others] = [(await known(course)).length, (await known(other)).length];
  expect([before > 0, others > 0]).toEqual([true, true]);
  course.unpublished = [2, 1];
  const reason =
    "completion: 3 requirements of modules are not published yet, and Canvas leaves them out: publish or delete them";
  expect(await bench.sweep()).toMatchObject({
    state: "complete",
    withheld: [{ scope: keyOf(course), reason }],
  });
  expect([(await known(course)).length, (await known(other)).length]).toEqual([0, others]);
  course.unpublished = [];
  expect(await bench.sweep()).toMatchObject({ withheld: [] });
  expect(await known(course)).toHaveLength(before);
});

async function openOneRoster(more: Record<string, unknown> = {}): Promise<SiteClass> {
  const site = createOneRosterSite({ classes: 1, students: 4 });
  const one = site.classes.get("class-0") as SiteClass;
  one.results.length = 0;
  server = await startFakeOneRoster(site);
  bench = await openBench(server.url, { type: "oneroster", final_line_item: "Final", ...more });
  return one;
}

const result = (student: number, more: Partial<SiteResult>): SiteResult => ({
  itemId: "fin-0",
  userId: `s${student}`,
  scoreStatus: "fully graded",
  score: 16,
  ...more,
});

async function totals() {
  const rows = await bench.database.knex("course_grades").orderBy("username");
  return rows.map(({ username, percent, letter }) => [
    username,
    percent === null ? null : Number(percent),
    letter,
  ]);
}

test("OneRoster: a final grade has points, a letter, or both; one that is in progress has neither", async () => {
  const one = await openOneRoster({ letter_grades: ["A", "B", "C"] });
  one.results.push(
    result(0, { textScore: "B" }),
    result(1, { score: null, textScore: "A" }),
    result(2, { textScore: "A", inProgress: "true" }),
    result(3, { textScore: "A", incomplete: true }),
  );
  await bench.sweep();
  expect(await totals()).toEqual([
    ["learner0", 0.8, "B"],
    ["learner1", null, "A"],
    ["learner2", 0, ""],
    ["learner3", 0, ""],
  ]);
  expect(await scales()).toEqual([["A", "B", "C"]]);
  await expectNothingNew(bench);
});

test("OneRoster: a final grade that was withdrawn is no longer attained", async () => {
  const one = await openOneRoster();
  one.results.push(result(0, {}), result(1, {}), result(2, {}));
  await bench.sweep();
  expect(await totals()).toEqual(["learner0", "learner1", "learner2"].map((name) => [name, 0.8, ""]));
  const [open, deleted, both] = one.results as [SiteResult, SiteResult, SiteResult];
  open.scoreStatus = "partially graded";
  deleted.status = "tobedeleted";
  both.status = "tobedeleted";
  one.results.push(result(2, { score: 18 }));
  await runSweep(await bench.open(), { cause: "test" }, new AbortController().signal);
  expect(await totals()).toEqual([
    ["learner0", 0, ""],
    ["learner1", 0, ""],
    ["learner2", 0.9, ""],
  ]);
});
