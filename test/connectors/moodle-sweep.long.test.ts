import { afterEach, expect, test } from "vitest";
import { type Bench, openBench } from "./bench.js";
import { exception, type FakeMoodle, FUNCTIONS, startFakeMoodle } from "./fake-moodle.js";
import { expectNothingNew, written } from "./known.js";
import { createPlatformData, type PlatformData, totalOf } from "./platform-data.js";

let academy: PlatformData;
let site: FakeMoodle;
let bench: Bench;

async function open(hidden: ReadonlySet<number> = new Set(), learners = 260, more = {}) {
  academy = createPlatformData({ courses: 3, learners });
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

/** Returns `key username active percentage` for learners in each course. */
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

async function reported(): Promise<string[]> {
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
  expect((await reported()).sort()).toEqual(expected().sort());
  const names = await bench.database.knex("courses").orderBy("course_key").pluck("course_key");
  expect(names).toEqual(["course-v1:Uni+C1+2", "course-v1:Uni+C2+3", "course-v1:Uni+C3+4"]);
  await expectNothingNew(bench);
});

test("reads a large course learner by learner, so that no response contains everyone", async () => {
  await open(undefined, 640);
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect((await reported()).sort()).toEqual(expected().sort());
  const received = site.received.filter(
    ({ form }) => form.get("wsfunction") === "gradereport_user_get_grade_items",
  );
  const ofFirst = received
    .filter(({ form }) => form.get("courseid") === "2")
    .map(({ form }) => form.get("userid"));
  expect(ofFirst.length).toBeGreaterThan(500);
  expect(ofFirst).not.toContain("0");
});

test("reads Moodle's own progress and passing, with one request for all courses of a learner", async () => {
  await open(undefined, 30, { completion: true });
  for (const course of academy.courses.values()) course.isHidden = false;
  const [first] = academy.courses.values();
  for (const [id, member] of first?.members ?? []) member.completion = id % 2;
  expect(await bench.sweep()).toMatchObject({ state: "complete", withheld: [] });
  const rows = await bench.database
    .knex("completions")
    .join("course_grades", { "course_grades.course_key": "completions.course_key" })
    .whereRaw("course_grades.username = completions.username")
    .select("completions.course_key", "completions.username", "completions.percent", "passed");
  const expectedRows = [...academy.courses.values()].flatMap((course) =>
    [...course.members].flatMap(([id, { isActive, completion }]) =>
      isActive && academy.users.has(id) ? `${course.id} learner${id} ${completion} ${completion === 1}` : [],
    ),
  );
  const found = rows.map(
    ({ course_key, username, percent, passed }) =>
      `${course_key.split("+")[2]} ${username} ${Number(percent)} ${passed}`,
  );
  expect(found.sort()).toEqual(expectedRows.sort());
  const received = site.received
    .filter(({ form }) => form.get("wsfunction") === "core_enrol_get_users_courses")
    .map(({ form }) => form.get("userid"));
  expect(received).toHaveLength(new Set(received).size);
  await expectNothingNew(bench);
});

test("of a course that is hidden from learners, only completion is known", async () => {
  await open(undefined, 12, { completion: true });
  const hidden = academy.courses.get("course-v1:Uni+C2+2026");
  hidden?.members.clear();
  for (const id of [1, 2, 3])
    hidden?.members.set(id, { isActive: true, scores: new Map(), completion: id / 3 });
  const { state, withheld } = await bench.sweep();
  expect([state, withheld]).toEqual([
    "complete",
    [
      {
        scope: "course-v1:Uni+C2+3",
        reason: expect.stringMatching(/^completion of 2 learners: of a course that is hidden from learners/),
      },
    ],
  ]);
  const rows = await bench.database.knex("completions").where({ course_key: "course-v1:Uni+C2+3" });
  expect(rows.map(({ username, percent }) => `${username} ${+percent}`).sort()).toEqual([
    "learner1 0",
    "learner2 0",
    "learner3 1",
  ]);
});

test("an error with status 200 in the middle of a course fails only that course, and withdraws nothing", async () => {
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
      error: expect.stringContaining("core_enrol_get_enrolled_users: Moodle returned nopermissions"),
    },
  ]);
  expect(await written(bench.database.knex)).toEqual(before);
  expect(bench.logged() + JSON.stringify(report)).not.toMatch(/learner\d/);
});

test("a total that the course's user report hides is unknown: nobody attains it, and the course is named", async () => {
  await open(new Set([1, 2]));
  const { state, withheld } = await bench.sweep();
  expect(state).toBe("complete");
  const reason = expect.stringMatching(/^course total of 2 learners: .* switch on Show ranges/);
  expect(withheld).toContainEqual({ scope: "course-v1:Uni+C1+2", reason });
  const rows = await bench.database.knex("subsection_grades").whereIn("username", ["learner1", "learner2"]);
  expect(rows.map(({ possible }) => Number(possible))).toEqual(rows.map(() => 0));
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

test("a suspended account is inactive, even though the list of a course does not say so", async () => {
  await open();
  const suspended = [...academy.users.values()]
    .filter(({ isActive }) => !isActive)
    .map(({ username }) => username);
  await bench.sweep();
  const inactive = bench.database.knex("learners").where({ is_active: false }).pluck("username");
  expect((await inactive).sort()).toEqual(suspended.sort());
  site.lacking.add("moodle/user:viewhiddendetails");
  const report = await bench.sweep();
  expect(report.failures[0]?.error).toContain("moodle/user:viewhiddendetails");
});

test("addresses are kept if the service's user may no longer see them", async () => {
  await open();
  await bench.sweep();
  const before = await written(bench.database.knex);
  site.lacking.add("moodle/course:useremail");
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect(await written(bench.database.knex)).toEqual(before);
});

test("an account with odd data loses only its own grade; if most accounts have odd data, the course is held back", async () => {
  await open(undefined, 640);
  site.unconfirmed.add(7);
  const { state, tally } = await bench.sweep();
  expect([state, tally["learner who can't be read: usernotconfirmed"]]).toEqual(["complete", 1]);
  const [first] = academy.courses.values();
  const active = [...(first?.members ?? [])].filter(([id, { isActive }]) => isActive && id !== 7);
  const rows = await bench.database.knex("course_grades").where({ course_key: "course-v1:Uni+C1+2" });
  expect(rows).toHaveLength(active.length);
  const addresses = () =>
    bench.database.knex("learners").whereNot({ email: "" }).orderBy("username").pluck("email");
  const before = await addresses();
  expect(before.length).toBeGreaterThan(600);
  site.lacking.add("moodle/course:useremail");
  for (const id of academy.users.keys()) site.unconfirmed.add(id);
  expect((await bench.sweep()).failures).toMatchObject([
    { stage: "grades", error: expect.stringContaining("usernotconfirmed") },
  ]);
  expect(await addresses()).toEqual(before);
});

test("names are unescaped, and a course keeps its key when its short name changes", async () => {
  await open();
  await bench.sweep();
  const [first] = academy.courses.values();
  const courses = () => bench.database.knex("courses").orderBy("course_key").pluck("display_name");
  expect(await courses()).toEqual(["R&D <Basics>", "Course 2", "Course 3"]);
  if (first) Object.assign(first, { shortName: "C1-A", name: "Basics" });
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect(await courses()).toEqual(["Basics", "Course 2", "Course 3"]);
});

test("people who are not learners in a course are left out, and people who may not be seen don't end the list", async () => {
  await open();
  site.teachers.add(8);
  for (const id of [1, 2, 3]) site.unseen.add(id);
  const { tally } = await bench.sweep();
  expect(tally["account in another role than those of learners"]).toBeGreaterThan(0);
  const [first] = academy.courses.values();
  const expectedNames = [...(first?.members.keys() ?? [])]
    .filter((id) => id > 3 && id !== 8)
    .map((id) => academy.users.get(id)?.username);
  const enrolled = bench.database.knex("enrollments").where({ learning_context_key: "course-v1:Uni+C1+2" });
  expect((await enrolled.pluck("username")).sort()).toEqual(expectedNames.sort());
});

test("the active people of a course are listed once, however many pages there are", async () => {
  await open(undefined, 640);
  await bench.sweep();
  const lists = site.received.filter(
    ({ form }) => form.get("wsfunction") === "core_enrol_get_enrolled_users" && form.get("courseid") === "2",
  );
  const active = lists.filter(({ form }) => form.get("options[0][value]") === "1");
  expect([active.length, lists.length - active.length]).toEqual([1, 5]);
});

test("learners have the language in which they use Moodle", async () => {
  await open(undefined, 6);
  const languages = ["es", "pt_br", "sr_lt", "zh_cn", "not a language"];
  for (const [index, language] of languages.entries()) site.languages.set(index + 1, language);
  await bench.sweep();
  const known = await bench.database.knex("learners").orderBy("username").pluck("locale");
  expect(known).toEqual(["es", "pt-BR", "sr-Latn", "zh-CN", "", ""]);
});

test("a course with separate groups that can't be seen is not treated as a course without learners", async () => {
  await open();
  await bench.sweep();
  const before = await written(bench.database.knex);
  site.separate.add(2);
  for (const lacking of ["moodle/site:accessallgroups", "moodle/role:review"]) site.lacking.add(lacking);
  const report = await bench.sweep();
  expect(report).toMatchObject({ state: "partial", held: 0 });
  expect(report.failures).toMatchObject([
    { scope: "course-v1:Uni+C1+2", error: expect.stringContaining("moodle/site:accessallgroups") },
  ]);
  site.lacking.delete("moodle/role:review");
  expect((await bench.sweep()).failures).toHaveLength(3);
  const enrolments = (rows: string[]) => rows.filter((row) => row.startsWith("enrollments"));
  expect(enrolments(await written(bench.database.knex))).toEqual(enrolments(before));
});

test("requests to a site in maintenance are repeated later, and nothing is withdrawn", async () => {
  await open();
  let left = 2;
  site.fault = () => (left-- > 0 ? exception("sitemaintenance") : undefined);
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  site.fault = () => exception("sitemaintenance");
  expect(await bench.sweep()).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("it returned sitemaintenance"),
  });
});

test("a dry run counts an account with a new name once, like the sweep", async () => {
  await open(undefined, 40);
  for (const { members } of academy.courses.values())
    members.set(3, { isActive: true, scores: new Map(), completion: 0 });
  await bench.sweep();
  const user = academy.users.get(3);
  if (user) user.username = "learner3-b";
  const dry = await bench.sweep({ dryRun: true });
  const { state, tally } = await bench.sweep();
  expect([state, tally.renamed]).toEqual(["complete", 1]);
  expect(dry.tally).toEqual(tally);
});

test.each([
  [
    {},
    "Nothing was read: none of the 3 courses has a configured credential, such as course-v1:Uni+C1+2. " +
      "Configure a credential for one, or set courses.only_configured to false.",
  ],
  [
    { exclude: ["course-v1:Uni+C1*"] },
    "Nothing was read: none of the 2 courses has a configured credential, such as course-v1:Uni+C2+3. " +
      "Configure a credential for one, or set courses.only_configured to false.",
  ],
  [
    { include: ["course-v1:Other*"], only_configured: false },
    "Nothing was read: courses.include and courses.exclude leave out all 3 courses of the platform, such as " +
      "course-v1:Uni+C1+2.",
  ],
])("a sync that reads no course gives the reason: %o", async (courses, reason) => {
  await open(undefined, 5, { courses });
  expect(await bench.sweep({ dryRun: true })).toMatchObject({ state: "complete", reason });
  expect(await bench.sweep()).toMatchObject({ state: "complete", reason });
});

test("a site without courses for the account reports that", async () => {
  await open(undefined, 5);
  academy.courses.clear();
  const reason = "Nothing was read: the platform lists no courses for this account.";
  expect(await bench.sweep()).toMatchObject({ state: "complete", reason });
});

test("an error of Moodle itself, and an account that has to sign in, name the place to look", async () => {
  await open(undefined, 5);
  for (const [code, remedy] of [
    ["invalidresponse", /characters that Moodle itself rejects/],
    ["errorcoursecontextnotvalid", /sign in to Moodle once as this user/],
  ] as const) {
    site.fault = ({ form }) =>
      form.get("wsfunction") === "core_enrol_get_enrolled_users" ? exception(code) : undefined;
    const { failures } = await bench.sweep();
    expect(failures.map(({ error }) => remedy.test(error))).toEqual([true, true, true]);
  }
});

test("a gradebook that takes too long as a whole is read learner by learner", async () => {
  await open(undefined, 30);
  site.fault = ({ form }) =>
    form.get("wsfunction") === "gradereport_user_get_grade_items" && form.get("userid") === "0"
      ? { status: 504, body: "" }
      : undefined;
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect((await reported()).sort()).toEqual(expected().sort());
});

/** Capabilities without which the fake refuses or omits something, and the checks that report this. */
const CAPABILITIES: readonly (readonly [string, ...string[]])[] = [
  ["moodle/course:view", "courses"],
  ["moodle/course:viewparticipants", "enrolments"],
  ["moodle/course:enrolreview"],
  ["moodle/site:accessallgroups", "enrolments"],
  ["moodle/user:viewdetails", "enrolments"],
  ["moodle/user:viewalldetails", "enrolments"],
  ["moodle/user:viewhiddendetails", "enrolments"],
  ["gradereport/user:view"],
  ["moodle/grade:viewall", "grades"],
  ["moodle/grade:viewhidden"],
  ["report/completion:view", "completion"],
];

test("the check names each capability and each function that is missing", async () => {
  await open(undefined, 20, { completion: true });
  site.separate.add(2);
  const faults = async () => {
    const found: string[] = [];
    for await (const { what, outcome, text } of (await bench.open()).source.check())
      if (outcome !== "ok") found.push(`${what}: ${outcome}: ${text}`);
    return found;
  };
  expect(await faults()).toEqual([]);
  for (const [capability, ...others] of CAPABILITIES) {
    site.lacking.add(capability);
    const named = (await faults()).filter((line) => line.includes(capability));
    expect(named.map((line) => line.split(": failed")[0])).toEqual(["capabilities", ...others]);
    site.lacking.delete(capability);
  }
  site.lacking.add("moodle/course:useremail");
  expect(await faults()).toEqual([expect.stringMatching(/^addresses: warning: .*moodle\/course:useremail/)]);
  site.lacking.clear();
  site.lacking.add("moodle/role:review");
  expect(await faults()).toEqual([expect.stringMatching(/^capabilities: failed: .*moodle\/role:review/)]);
  site.lacking.clear();
  for (const name of FUNCTIONS) {
    site.without.add(name);
    expect((await faults())[0]).toMatch(new RegExp(`^service: failed: .*${name}`));
    site.without.clear();
  }
});
