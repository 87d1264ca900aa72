import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { type Bench, openBench } from "./bench.js";
import { type FakeMoodle, startFakeMoodle } from "./fake-moodle.js";
import { ok } from "./faulty-server.js";
import { addUser, createPlatformData, type PlatformData } from "./platform-data.js";

/*
 * Responses recorded from a real Moodle, with accounts that have different capabilities. Data that is hidden from the
 * account must never lead to a credential.
 */

const { answers } = JSON.parse(readFileSync(new URL("moodle-answers.json", import.meta.url), "utf8")) as {
  answers: Record<string, { function: string; answer: unknown }>;
};

let academy: PlatformData;
let site: FakeMoodle;
let bench: Bench;

afterEach(async () => {
  await bench.close();
  await site.close();
});

/**
 * Opens a platform with courses 2 to 5 and a few learners in one of them. Recorded responses replace those of the fake.
 */
async function open(courseId: number, learners: readonly number[], cases: readonly string[], settings = {}) {
  academy = createPlatformData({ courses: 4, learners: 0 });
  for (const course of academy.courses.values()) course.isHidden = false;
  const key = [...academy.courses].find(([, { id }]) => id === courseId)?.[0] ?? "";
  for (const id of learners) {
    addUser(academy, id).isActive = true;
    academy.courses.get(key)?.members.set(id, { isActive: true, scores: new Map(), completion: 0 });
  }
  site = await startFakeMoodle(academy, new Set());
  const recorded = new Map(
    cases.map((name) => [answers[name]?.function, structuredClone(answers[name]?.answer)]),
  );
  site.rewrite = ({ form }, reply) => {
    const name = form.get("wsfunction") ?? "";
    if (name === "core_webservice_get_site_info") return ok({ ...(reply.body as object), userid: 69 });
    const answer = recorded.get(name);
    return answer === undefined ? reply : ok(answer);
  };
  bench = await openBench(site.url, { type: "moodle", ...settings });
}

async function totals(): Promise<string[]> {
  const rows = await bench.database
    .knex("subsection_grades as points")
    .join("course_grades as grade", {
      "points.course_key": "grade.course_key",
      "points.username": "grade.username",
    })
    .select("points.*", "grade.percent");
  return rows.map(
    ({ username, earned, possible, percent }) => `${username} ${+earned}/${+possible} ${+percent}`,
  );
}

const SEEN = "capabilities";
const BLIND = "capabilities without viewhidden";

test.each<[name: string, course: number, probe: string, expected: string, reason: RegExp | undefined]>([
  ["hidden item seen", 3, SEEN, "46/100 0.46", undefined],
  ["total with hidden item", 3, SEEN, "46/100 0.46", undefined],
  ["total blanked", 3, SEEN, "0/0 0", /Moodle reports no total although items are graded/],
  ["total blanked", 3, BLIND, "0/0 0", /The user needs moodle\/grade:viewhidden/],
  ["total without hidden item", 3, BLIND, "0/0 0", /The user needs moodle\/grade:viewhidden/],
  ["total with hidden item", 3, BLIND, "0/0 0", /The user needs moodle\/grade:viewhidden/],
  [
    "hidden item seen",
    3,
    "capabilities without role:review",
    "0/0 0",
    /can't be determined: .* give its user moodle\/role:review/,
  ],
  ["ranges hidden", 2, SEEN, "0/0 0", /switch on Show ranges/],
  ["empty grades as 0", 5, SEEN, "26/200 0.13", undefined],
  ["item not graded", 5, SEEN, "0/0 0", /untick Exclude empty grades/],
])(
  "a total of the case “%s” in course %i, with “%s”, is %s",
  async (name, course, probe, expected, reason) => {
    const [id] = (
      (answers[name]?.answer ?? { usergrades: [] }) as { usergrades: { userid: number }[] }
    ).usergrades.map(({ userid }) => userid);
    if (id === undefined) throw new Error("nobody has grades");
    await open(course, [id], [name, probe]);
    const report = await bench.sweep();
    expect(report.state).toBe("complete");
    expect(await totals()).toEqual([`learner${id} ${expected}`]);
    const own = report.withheld.filter(({ scope }) => scope.endsWith(`+${course}`));
    expect(own.map((one) => one.reason)).toEqual(reason ? [expect.stringMatching(reason)] : []);
    expect(bench.logged()).not.toContain("Kovač");
  },
);

test("a total that leaves out items without a grade is used if the settings say so", async () => {
  await open(5, [4], ["item not graded", SEEN], { partial_totals: true });
  expect(await bench.sweep()).toMatchObject({ state: "complete", withheld: [] });
  expect(await totals()).toEqual(["learner4 26/100 0.26"]);
});

test("weighted means, nested categories, dropped items and extra credit give Moodle's own total", async () => {
  await open(2, [3], ["nested categories", SEEN], { partial_totals: true });
  await bench.sweep();
  expect(await totals()).toEqual(["learner3 95/100 0.95"]);
});

test.each([
  ["courses", "learner3 0.1667 false"],
  ["courses, one completed", "learner3 1 true"],
])("progress of the case “%s” is %s", async (name, expected) => {
  await open(4, [3], [name, SEEN], { completion: true });
  expect(await bench.sweep()).toMatchObject({ state: "complete", withheld: [] });
  expect(await progress()).toEqual([expected]);
});

test("progress that the account may no longer see is unknown: known progress is withdrawn, and the course is named", async () => {
  await open(4, [3], ["courses, one completed", SEEN], { completion: true });
  await bench.sweep();
  const { answer } = answers["courses without report/completion:view"] ?? {};
  const before = site.rewrite;
  site.rewrite = (received, reply) =>
    received.form.get("wsfunction") === "core_enrol_get_users_courses" ? ok(answer) : before(received, reply);
  const { state, withheld } = await bench.sweep();
  expect([state, withheld]).toEqual([
    "complete",
    [
      {
        scope: "course-v1:Uni+C3+4",
        reason: expect.stringContaining("The user needs report/completion:view"),
      },
    ],
  ]);
  expect(await progress()).toEqual([]);
});

test("without the web service function for progress, none is known, and the function to add is named", async () => {
  await open(4, [3], ["courses, one completed", SEEN], { completion: true });
  await bench.sweep();
  site.without.add("core_enrol_get_users_courses");
  site.rewrite = (_, reply) => reply;
  const { withheld } = await bench.sweep();
  expect(withheld).toMatchObject([{ reason: expect.stringContaining("core_enrol_get_users_courses") }]);
  expect(await progress()).toEqual([]);
});

test("languages are those of the learners", async () => {
  await open(2, [5, 6, 8, 9], ["languages", SEEN]);
  await bench.sweep();
  expect(await bench.database.knex("learners").orderBy("username").pluck("locale")).toEqual([
    "es",
    "pt-BR",
    "zh-CN",
    "sr-Latn",
  ]);
});

async function progress(): Promise<string[]> {
  const rows = await bench.database
    .knex("completions as done")
    .join("course_grades as grade", {
      "done.course_key": "grade.course_key",
      "done.username": "grade.username",
    })
    .where("done.is_deleted", false)
    .select("done.*", "grade.passed");
  return rows.map(({ username, percent, passed }) => `${username} ${+Number(percent).toFixed(4)} ${passed}`);
}
