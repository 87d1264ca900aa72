import { afterEach, expect, test } from "vitest";
import { type Academy, createAcademy, totalOf } from "./academy.js";
import { type Bench, openBench } from "./bench.js";
import { exception, startFakeMoodle } from "./fake-moodle.js";
import type { FaultyServer } from "./faulty-server.js";
import { written } from "./known.js";

let academy: Academy;
let site: FaultyServer;
let bench: Bench;

async function open(hidden: ReadonlySet<number> = new Set(), learners = 260, more = {}) {
  academy = createAcademy({ courses: 3, learners });
  const [first] = academy.courses.values();
  for (const id of academy.users.keys())
    first?.members.set(id, { isActive: id % 5 !== 0, scores: new Map(), completion: 0 });
  site = await startFakeMoodle(academy, hidden);
  bench = await openBench(site.url, { type: "moodle", ...more });
}

afterEach(async () => {
  await bench.close();
  await site.close();
});

/** `key username active percentage`, for learners who are active in the course. */
function expected(): string[] {
  return [...academy.courses.values()].flatMap((course) =>
    [...course.members].map(([id, member]) => {
      const user = academy.users.get(id);
      const isActive = member.isActive && user?.isActive === true;
      const total = isActive ? Math.round(totalOf(course, member) * 100 * 100) / 100 : "-";
      return `${course.id} ${user?.username} ${isActive} ${total}`;
    }),
  );
}

async function told(): Promise<string[]> {
  const { rows } = await bench.database.knex.raw(
    `select format('%s %s %s %s', split_part(key, '+', 3), username, is_active::text,
       case when is_active then coalesce(trim_scale(round(100 * earned / possible, 2))::text, 'none') else '-' end) as line
     from (select learning_context_key as key, username, is_active from enrollments) as enrolled
     left join (select course_key as key, username, earned, possible from subsection_grades where not is_deleted) as grade
       using (key, username)`,
  );
  return rows.map(({ line }: { line: string }) => line);
}

test("reads courses, active and inactive enrolments, and Moodle's own totals; the second time it writes nothing", async () => {
  await open();
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect((await told()).sort()).toEqual(expected().sort());
  const names = await bench.database.knex("courses").orderBy("course_key").pluck("course_key");
  expect(names).toEqual(["course-v1:Uni+C1+2", "course-v1:Uni+C2+3", "course-v1:Uni+C3+4"]);
  const before = await written(bench.database.knex);
  expect((await bench.sweep()).state).toBe("complete");
  expect(await written(bench.database.knex)).toEqual(before);
});

test("reads a large course learner by learner, so that no answer holds everybody", async () => {
  await open(undefined, 640);
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect((await told()).sort()).toEqual(expected().sort());
  const asked = site.asked.filter(
    ({ form }) => form.get("wsfunction") === "gradereport_user_get_grade_items",
  );
  const ofFirst = asked
    .filter(({ form }) => form.get("courseid") === "2")
    .map(({ form }) => form.get("userid"));
  expect(ofFirst.length).toBeGreaterThan(500);
  expect(ofFirst).not.toContain("0");
});

test("reads completion from tracked activities, if it is asked for", async () => {
  await open(undefined, 30, { completion: true });
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  const rows = await bench.database.knex("completions").select("course_key", "username", "percent");
  const expectedRows = [...academy.courses.values()].flatMap((course) =>
    [...course.members].flatMap(([id, { isActive, completion }]) =>
      isActive && academy.users.has(id) ? `${course.id} learner${id} ${completion}` : [],
    ),
  );
  const found = rows.map(
    ({ course_key, username, percent }) => `${course_key.split("+")[2]} ${username} ${Number(percent)}`,
  );
  expect(found.sort()).toEqual(expectedRows.sort());
});

test("A17: an error with status 200 in the middle of a course fails that course alone, and withdraws nothing", async () => {
  await open();
  await bench.sweep();
  const before = await written(bench.database.knex);
  site.fault = ({ form }) =>
    form.get("courseid") === "2" && form.get("options[1][value]") === "200"
      ? exception("nopermissions")
      : undefined;
  const report = await bench.sweep();
  expect(report).toMatchObject({ state: "partial", held: 0 });
  expect(report.failures).toEqual([
    {
      stage: "enrolments",
      scope: "course-v1:Uni+C1+2",
      error: expect.stringContaining("core_enrol_get_enrolled_users: Moodle answers nopermissions"),
    },
  ]);
  expect(await written(bench.database.knex)).toEqual(before);
  expect(bench.logged() + JSON.stringify(report)).not.toMatch(/learner\d/);
});

test("a hidden grade is left as it is known: it is not 0", async () => {
  await open(new Set([1, 2]));
  await bench.sweep();
  const rows = await bench.database.knex("subsection_grades").whereIn("username", ["learner1", "learner2"]);
  expect(rows).toEqual([]);
});

test("a learner who is no longer enrolled is withdrawn, and a refused token ends the sweep", async () => {
  await open();
  await bench.sweep();
  const [first] = academy.courses.values();
  first?.members.delete(3);
  expect(await bench.sweep()).toMatchObject({ state: "complete", tally: { "enrollment.withdrawn": 1 } });
  const [row] = await bench.database
    .knex("enrollments")
    .where({ username: "learner3", learning_context_key: "course-v1:Uni+C1+2" });
  expect(row.is_active).toBe(false);
  site.fault = () => exception("invalidtoken");
  expect(await bench.sweep()).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("Check token_file."),
  });
});

test("the check names the function that is refused", async () => {
  await open();
  site.fault = ({ form }) =>
    form.get("wsfunction") === "gradereport_user_get_grade_items" ? exception("accessexception") : undefined;
  const found: string[] = [];
  for await (const { what, outcome } of (await bench.open()).source.check())
    found.push(`${what}: ${outcome}`);
  expect(found).toEqual(["courses: ok", "enrolments: ok", "grades: failed"]);
});
