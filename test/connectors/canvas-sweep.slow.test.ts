import { afterEach, expect, test } from "vitest";
import { followHints } from "#domain/connectors/sweep/follow-hints.js";
import { addHints } from "#domain/learners/connector-hints.js";
import { type Bench, openBench } from "./bench.js";
import { compute, createSite, grade, keyOf, type Site, type SiteCourse, siteLines } from "./canvas-site.js";
import { type FakeCanvas, startFakeCanvas, tooMany } from "./fake-canvas.js";
import { enrolled, expectNothingNew, grades, known, written } from "./known.js";

let site: Site;
let server: FakeCanvas;
let bench: Bench;

const ALL = { completion: true, parts: true };
const { signal } = new AbortController();

async function open(size: Parameters<typeof createSite>[0], more: Record<string, unknown> = ALL) {
  site = createSite(size);
  server = await startFakeCanvas(site);
  bench = await openBench(server.url, { type: "canvas", ...more });
}

/** Opens a site with one course, which nobody has joined yet. */
async function openCourse(more: Record<string, unknown> = ALL): Promise<SiteCourse> {
  await open({ courses: 1, learners: 6, enrols: false }, more);
  return [...site.courses.values()][0] as SiteCourse;
}

/** Enrols a learner once for each state, and gives the learner all points. */
function joins(course: SiteCourse, number: number, ...states: SiteCourse["enrolments"][number]["state"][]) {
  const userId = String(100 + number);
  for (const [index, state] of states.entries())
    course.enrolments.push({ userId, section: `${index + 1}`, type: "StudentEnrollment", state });
  for (const { id, possible } of course.assignments)
    course.submissions.set(`${userId} ${id}`, grade(possible));
  compute(course);
  return userId;
}

afterEach(async () => {
  await bench.close();
  await server.close();
});

test("reads everything, page by page, with exact ids; the second time it writes nothing", async () => {
  await open({ courses: 4, learners: 60 });
  server.pageSize = 7;
  const hidden = [...site.courses.values()][3] as SiteCourse;
  hidden.state = "created"; // not published
  expect(await bench.sweep()).toMatchObject({ state: "complete", failures: [], withheld: [] });
  expect(await known(bench.database.knex)).toEqual(siteLines(site));
  expect(await bench.database.knex("courses").where({ course_key: keyOf(hidden) })).toEqual([]);
  await expectNothingNew(bench);
});

test("a course keeps its key when its code changes, and a deleted course is no longer listed", async () => {
  await open({ courses: 2, learners: 20 });
  await bench.sweep();
  const [first, second] = [...site.courses.values()] as [SiteCourse, SiteCourse];
  const key = keyOf(first);
  Object.assign(first, { code: "Renamed 7", name: "Another" });
  second.state = "deleted";
  await bench.sweep();
  const rows = await bench.database.knex("courses").orderBy("course_key");
  expect(rows.map(({ course_key, display_name }) => [course_key, display_name])).toEqual([
    [key, "Another"],
    [keyOf(second), second.name],
  ]);
  const whole = await bench.database
    .knex("connector_contexts")
    .whereNotNull("complete_at")
    .pluck("context_key");
  expect(whole).toEqual([key]);
});

test("sections are merged by learner: taking part in one is enough, including concluded ones", async () => {
  const course = await openCourse();
  joins(course, 1, "inactive", "active");
  joins(course, 2, "completed");
  joins(course, 3, "inactive");
  joins(course, 4, "invited");
  joins(course, 5, "active", "deleted");
  joins(course, 6, "deleted");
  course.enrolments.push({ userId: "106", section: "1", type: "TeacherEnrollment", state: "active" });
  const tester = { id: "999", login: "tester", sisId: null, name: "Test Student", email: null };
  site.users.set("999", tester);
  course.enrolments.push({ userId: "999", section: "1", type: "StudentViewEnrollment", state: "active" });
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  const all = { learner1: true, learner2: true, learner3: false, learner5: true };
  expect(await enrolled(bench.database.knex)).toEqual(all);
  // A learner who is invited again, or removed, is not listed any more.
  for (const row of course.enrolments) if (row.userId === "101") row.state = "deleted";
  expect(await bench.sweep()).toMatchObject({ tally: { "enrollment.withdrawn": 1 } });
  expect(await enrolled(bench.database.knex)).toEqual({ ...all, learner1: false });
});

test("Canvas's final score is used: an overridden one wins, 0 is 0, and without any graded work nothing is attained", async () => {
  const course = await openCourse({});
  for (const number of [1, 2, 3, 4]) joins(course, number, "active");
  course.overrides.set("101", 81.5);
  course.overrides.set("102", 0);
  course.computed.set("103", 0);
  course.computed.set("104", 107.25);
  await bench.sweep();
  const expected = (last: string) => [
    "learner1 course total 81.5/100",
    "learner2 course total 0/100",
    "learner3 course total 0/100",
    `learner4 course total ${last}`,
  ];
  expect(await grades(bench.database.knex)).toEqual(expected("100/100"));
  course.computed.set("104", null);
  await bench.sweep();
  expect(await grades(bench.database.knex)).toEqual(expected("0/0"));
  const [row] = await bench.database.knex("course_grades").where({ username: "learner4" });
  expect(row).toMatchObject({ passed: null, is_deleted: false });
  expect(Number(row.percent)).toBe(0);
});

test("if sections differ, the lowest total of those in which the learner takes part is used", async () => {
  const course = await openCourse({});
  joins(course, 1, "active", "completed", "active");
  let row = 0;
  server.rewrite = ({ url }, reply) => {
    if (!url.pathname.endsWith("/users")) return reply;
    row = 0;
    const scores = [70, 10, 60];
    return {
      ...reply,
      body: String(reply.body).replace(/"final_score":[\d.]+/g, () => `"final_score":${scores[row++]}`),
    };
  };
  await bench.sweep();
  expect(await grades(bench.database.knex)).toEqual(["learner1 course total 60/100"]);
});

test("grades without the right to see them are not 0: the course is named, and known results are kept", async () => {
  await open({ courses: 2, learners: 20 });
  await bench.sweep();
  const before = await written(bench.database.knex);
  server.lacking.add("Grades - view all grades");
  const report = await bench.sweep();
  expect(report).toMatchObject({ state: "partial", held: 0 });
  expect(report.failures[0]?.error).toContain("users: Canvas returns no grades");
  expect(report.failures[0]?.error).toContain("“Grades - view all grades”");
  expect(await written(bench.database.knex)).toEqual(before);
});

test("addresses are kept if the role may no longer see them; a course without names is not read", async () => {
  await open({ courses: 2, learners: 20 });
  await bench.sweep();
  const before = await written(bench.database.knex);
  server.lacking.add("Users - view primary email address");
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect(await written(bench.database.knex)).toEqual(before);
  server.lacking.add("Users - view login IDs");
  const { failures } = await bench.sweep();
  expect(failures[0]?.error).toContain("“Users - view login IDs”");
});

test.each([
  ["sis_user_id", ["S1", "S2"], { "account without sis_user_id": 1 }],
  ["id", ["101", "102", "103"], {}],
])("usernames can be each %s", async (usernames, expected, tally) => {
  const course = await openCourse({ usernames });
  for (const number of [1, 2, 3]) joins(course, number, "active");
  expect(await bench.sweep()).toMatchObject({ state: "complete", tally });
  expect(Object.keys(await enrolled(bench.database.knex)).sort()).toEqual(expected);
  const ids = await bench.database.knex("learners").orderBy("username").pluck("learner_id");
  expect(ids.slice(0, 2)).toEqual(["S1", "S2"]);
});

test("a course without modules has no completion, which is not a fault, and known completion is withdrawn", async () => {
  const course = await openCourse({ completion: true });
  for (const number of [1, 2, 3]) joins(course, number, "active");
  course.met.set("101", 10).set("102", 4).set("103", 10);
  await bench.sweep();
  const percents = async () => {
    const rows = await bench.database.knex("completions").where({ is_deleted: false }).orderBy("username");
    return rows.map(({ username, percent }) => `${username} ${Number(percent)}`);
  };
  expect(await percents()).toEqual(["learner1 1", "learner2 0.4", "learner3 1"]);
  course.met.set("103", "error").set("102", 5);
  expect(await bench.sweep()).toMatchObject({
    state: "complete",
    tally: { "learner whose progress Canvas can't report": 1 },
  });
  expect(await percents()).toEqual(["learner1 1", "learner2 0.5", "learner3 1"]);
  course.requirements = 0;
  const gone = { state: "complete", tally: { "completion.withdrawn": 3 } };
  expect(await bench.sweep({ dryRun: true })).toMatchObject(gone);
  expect(await bench.sweep()).toMatchObject(gone);
  expect(await percents()).toEqual([]);
  const before = await written(bench.database.knex);
  await bench.sweep();
  expect(await written(bench.database.knex)).toEqual(before);
});

test.each([
  ["what is not posted counts as 0", (course: SiteCourse) => unpost(course, "1"), "20/30"],
  ["what is excused does not count", (course: SiteCourse) => excuse(course, "1"), "20/20"],
  [
    "what is excused and not posted counts as 0",
    (course: SiteCourse) => {
      excuse(course, "1");
      unpost(course, "1");
    },
    "20/30",
  ],
  [
    "what is not published does not count",
    (course: SiteCourse) => change(course, "1", { isPublished: false }),
    "20/20",
  ],
  [
    "what is left out of the grade does not count",
    (course: SiteCourse) => change(course, "1", { isOmitted: true }),
    "20/20",
  ],
  [
    "what is not graded does not count",
    (course: SiteCourse) => change(course, "1", { isGraded: false }),
    "20/20",
  ],
  [
    "what is for another section does not count",
    (course: SiteCourse) => change(course, "1", { section: "9" }),
    "20/20",
  ],
  ["what has no grade counts as 0", (course: SiteCourse) => void course.submissions.clear(), "0/30"],
  [
    "what has no points adds nothing to them",
    (course: SiteCourse) => change(course, "1", { possible: null }),
    "20/20",
  ],
])("assignment groups: %s", async (_, edit, expected) => {
  const course = await openCourse();
  const [homework] = course.groups;
  if (homework) homework.lowest = 0;
  joins(course, 1, "active");
  edit(course);
  compute(course);
  expect(await bench.sweep()).toMatchObject({ state: "complete", withheld: [] });
  expect(await grades(bench.database.knex)).toContain(`learner1 homework ${expected}`);
});

function change(course: SiteCourse, number: string, more: Partial<SiteCourse["assignments"][number]>): void {
  for (const one of course.assignments) if (one.id === `${course.id}${number}`) Object.assign(one, more);
}
function unpost(course: SiteCourse, number: string): void {
  const own = course.submissions.get(`101 ${course.id}${number}`);
  if (own) own.isPosted = false;
}
function excuse(course: SiteCourse, number: string): void {
  const own = course.submissions.get(`101 ${course.id}${number}`);
  if (own) own.isExcused = true;
}

test("groups that do not explain the total are held back and named, and nobody attains them", async () => {
  const course = await openCourse();
  joins(course, 1, "active");
  joins(course, 2, "active");
  await bench.sweep();
  expect(await grades(bench.database.knex)).toContain("learner1 homework 20/20");
  course.unexplained = -3; // like the effect of weighted grading periods
  compute(course);
  const report = await bench.sweep();
  expect(report).toMatchObject({ state: "complete", withheld: [{ scope: keyOf(course) }] });
  expect(report.withheld[0]?.reason).toContain("do not add up to the total of Canvas");
  expect((await grades(bench.database.knex)).filter((line) => line.startsWith("learner1"))).toEqual([
    "learner1 course total 97/100",
    "learner1 exams 0/0",
    "learner1 homework 0/0",
  ]);
});

test("groups of the same name, and those named like a total, can't be required, and are named", async () => {
  const course = await openCourse();
  joins(course, 1, "active");
  course.groups.push({ id: "77", name: " homework", weight: 0, lowest: 0, highest: 0, never: [] });
  course.groups.push({ id: "78", name: "Total", weight: 0, lowest: 0, highest: 0, never: [] });
  compute(course);
  const report = await bench.sweep();
  expect(report.withheld).toEqual([
    {
      scope: keyOf(course),
      reason: expect.stringContaining("2 names of assignment groups can't be required"),
    },
  ]);
  expect(await grades(bench.database.knex)).toEqual([
    "learner1 course total 100/100",
    "learner1 exams 50/50",
  ]);
});

test("a link to another host is not followed, and a page that never ends is refused", async () => {
  await open({ courses: 1, learners: 30 });
  const leads = (to: (url: URL) => string) => {
    server.rewrite = ({ url }, reply) =>
      url.pathname.endsWith("/users") ? { ...reply, headers: { link: `<${to(url)}>; rel="next"` } } : reply;
  };
  const requested = () => server.received.filter(({ url }) => url.pathname.endsWith("/users")).length;
  leads(() => "https://elsewhere.test/api/v1/courses/1/users?page=2");
  expect((await bench.sweep()).failures[0]?.error).toContain("leads to a different host");
  expect(requested()).toBe(1);
  leads(({ pathname, search }) => `${server.url}${pathname}${search}`);
  const { failures } = await bench.sweep();
  expect(failures[0]?.error).toContain("the next-page links form a loop");
  expect(requested()).toBe(3);
});

test.each([true, false])(
  "requests that are too frequent are refused, and repeated later (old release: %s)",
  async (isOld) => {
    await open({ courses: 2, learners: 20 });
    server.isOld = isOld;
    server.fault = (_, count) => (count % 4 === 0 ? tooMany(isOld) : undefined);
    expect(await bench.sweep()).toMatchObject({ state: "complete" });
    expect(await known(bench.database.knex)).toEqual(siteLines(site));
  },
);

test("it pauses when the bucket runs low, before it is refused", async () => {
  await open({ courses: 1, learners: 5 });
  server.remaining = 149.9; // at 10 a second, it takes 0.01 s until 150 remain
  const { cost, state } = await bench.sweep();
  expect(state).toBe("complete");
  expect(cost.refusals).toBe(0);
  expect(cost.waitSeconds).toBeCloseTo(cost.requests * 0.01, 3);
});

test("a learner is read again in one course: grades, groups, progress, and that they have left", async () => {
  await open({ courses: 2, learners: 20 });
  await bench.sweep();
  const course = [...site.courses.values()][0] as SiteCourse;
  const userId = course.enrolments.find(({ state }) => state === "active")?.userId ?? "";
  const username = site.users.get(userId)?.login ?? "";
  const follow = async () => {
    await addHints(bench.database.knex, "lms", [{ username, externalId: "", courseKey: keyOf(course) }], 0);
    server.received.length = 0;
    expect(await followHints(await bench.open(), signal)).toBe(2);
    expect(await known(bench.database.knex)).toEqual(siteLines(site));
  };
  for (const { id, possible } of course.assignments)
    course.submissions.set(`${userId} ${id}`, grade(possible));
  course.met.set(userId, course.requirements);
  compute(course);
  await follow();
  expect(server.received.every(({ url }) => !/accounts/.test(url.pathname))).toBe(true);
  const row = course.enrolments.find((one) => one.userId === userId);
  if (row) row.state = "inactive";
  await follow();
  course.enrolments.splice(
    0,
    course.enrolments.length,
    ...course.enrolments.filter((one) => one.userId !== userId),
  );
  await addHints(bench.database.knex, "lms", [{ username, externalId: "", courseKey: keyOf(course) }], 0);
  await followHints(await bench.open(), signal);
  const [gone] = await bench.database
    .knex("enrollments")
    .where({ username, learning_context_key: keyOf(course) });
  expect(gone.is_active).toBe(false);
});

test("a course that fails halfway is named, and nobody is withdrawn", async () => {
  await open({ courses: 2, learners: 40 });
  server.pageSize = 5;
  await bench.sweep();
  const before = await written(bench.database.knex);
  const [first] = [...site.courses.values()] as [SiteCourse, SiteCourse];
  server.fault = ({ url }) =>
    url.pathname.endsWith(`${first.id}/users`) && url.searchParams.get("page") === "2"
      ? { status: 403, body: { errors: [{ message: "user not authorized to perform that action" }] } }
      : undefined;
  const report = await bench.sweep();
  expect(report).toMatchObject({
    state: "partial",
    held: 0,
    failures: [{ stage: "enrolments", scope: keyOf(first) }],
  });
  expect(await written(bench.database.knex)).toEqual(before);
});
