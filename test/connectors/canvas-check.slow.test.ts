import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Lookups, Source } from "#domain/connectors/driver/driver.js";
import { type Bench, openBench } from "./bench.js";
import { createSite, type Site } from "./canvas-site.js";
import { type FakeCanvas, startFakeCanvas } from "./fake-canvas.js";
import { CLIENT_SECRET } from "./fake-open-edx.js";

/*
 * A check describes errors in the settings, and missing permissions of the service's user, with a remedy. It writes
 * nothing.
 */

let site: Site;
let server: FakeCanvas;
let bench: Bench;

beforeAll(async () => {
  site = createSite({ courses: 2, learners: 20 });
  server = await startFakeCanvas(site);
  bench = await openBench(server.url, { type: "canvas", completion: true, parts: true });
});
afterEach(() => {
  server.lacking.clear();
  server.fault = () => undefined;
  Object.assign(server, { isOld: false, stripsIncludes: false, token: CLIENT_SECRET, tokensGiven: 0 });
});
afterAll(async () => {
  await bench.close();
  await server.close();
});

async function resultsOf({ source }: { readonly source: Source }) {
  const found: { line: string; text: string }[] = [];
  for await (const { what, outcome, text } of source.check())
    found.push({ line: `${what}: ${outcome}`, text });
  return found;
}

/** Opens the connector with a developer key and a refresh token instead of an access token. */
async function withKey(more: Record<string, unknown> = {}) {
  const secret = join(bench.place.DATA_DIR, "secret");
  const files = { client_secret_file: secret, refresh_token_file: secret };
  return bench.openWith({ token_file: undefined, client_id: "10000000000007", ...files, ...more });
}

const PERMISSIONS = [
  ["Courses - view list", "courses: failed"],
  ["Grades - view all grades", "enrolments and totals: failed"],
  ["Users - view login IDs", "enrolments and totals: failed"],
  ["Users - view primary email address", "addresses: warning"],
  ["SIS Data - read", "SIS ids: warning"],
] as const;

test.each(
  [false, true].flatMap((isOld) => PERMISSIONS.map(([permission, line]) => ({ isOld, permission, line }))),
)("“$permission” is named if it is missing (old release: $isOld)", async ({ isOld, permission, line }) => {
  server.isOld = isOld;
  const wrong = async () => (await resultsOf(await bench.open())).filter((one) => !one.line.endsWith(": ok"));
  expect(await wrong()).toEqual([]);
  server.lacking.add(permission);
  expect(await wrong()).toEqual([{ line, text: expect.stringContaining(`“${permission}”`) }]);
});

test("if all grades are refused, the permission is named, too", async () => {
  for (const permission of ["Users - view list", "Grades - view all grades"]) server.lacking.add(permission);
  const [, , missing] = await resultsOf(await bench.open());
  expect(missing).toEqual({
    line: "enrolments and totals: failed",
    text: "users: Canvas returned 403. The role of the service's user needs “Users - view list” and “Grades - view all grades” in the account.",
  });
});

test.each([
  [/\/accounts\//, "courses", "url:GET|/api/v1/accounts/:account_id/courses"],
  [/\/users$/, "enrolments and totals", "url:GET|/api/v1/courses/:course_id/users"],
  [/groups$/, "assignment groups", "url:GET|/api/v1/courses/:course_id/assignment_groups"],
  [/submissions$/, "submissions", "url:GET|/api/v1/courses/:course_id/students/submissions"],
  [/\/modules$/, "modules", "url:GET|/api/v1/courses/:course_id/modules"],
  [/bulk_user_progress$/, "completion", "url:GET|/api/v1/courses/:course_id/bulk_user_progress"],
  [/\/progress$/, "completion", "url:GET|/api/v1/courses/:course_id/users/:user_id/progress"],
])("the scope that a token lacks is named: %s", async (path, what, scope) => {
  server.fault = ({ url }) =>
    path.test(url.pathname)
      ? { status: 401, body: { errors: [{ message: "Insufficient scopes on access token." }] } }
      : undefined;
  const missing = (await resultsOf(await bench.open())).filter((one) => one.line.endsWith(": failed"));
  expect(missing[0]).toEqual({ line: `${what}: failed`, text: expect.stringContaining(scope) });
});

test("a developer key that drops requested scopes is named", async () => {
  server.stripsIncludes = true;
  const [, , stripped] = await resultsOf(await bench.open());
  expect(stripped?.text).toContain("“Allow Include Parameters”");
});

test("without a learner, everything else is tried", async () => {
  const empty = await startFakeCanvas(createSite({ courses: 1, learners: 0 }));
  const results = await resultsOf(await bench.openWith({ base_url: empty.url }));
  await empty.close();
  expect(results.map(({ line }) => line)).toEqual([
    "courses: ok",
    "clock: ok",
    "enrolments and totals: ok",
    "own courses: ok",
    "letter grades: ok",
    "a learner: warning",
    "assignment groups: ok",
    "submissions: ok",
    "modules: ok",
    "completion: ok",
  ]);
});

test("courses in which the service's user takes part are named: Canvas may show only that user's sections", async () => {
  server.ownCourses.push("17");
  const results = await resultsOf(await bench.open());
  server.ownCourses.length = 0;
  expect(results.filter(({ line }) => line.startsWith("own"))).toEqual([
    {
      line: "own courses: warning",
      text: expect.stringContaining("is enrolled in courses, such as 17"),
    },
  ]);
});

test("a grading scheme that can't be read is named, with the consequences", async () => {
  for (const course of site.courses.values()) course.scheme = [["A", 0]];
  server.fault = ({ url }) =>
    url.pathname.includes("grading_standards")
      ? { status: 401, body: { errors: [{ message: "Insufficient scopes on access token." }] } }
      : undefined;
  const results = await resultsOf(await bench.open());
  for (const course of site.courses.values()) delete course.scheme;
  expect(results.filter(({ line }) => !line.endsWith(": ok"))).toEqual([
    {
      line: "letter grades: warning",
      text: expect.stringMatching(
        /grading_standards\/:grading_standard_id.*only exactly the required letter grade/,
      ),
    },
  ]);
});

test("a course without modules is not a fault", async () => {
  for (const course of site.courses.values()) course.requirements = 0;
  const results = await resultsOf(await bench.open());
  for (const course of site.courses.values()) course.requirements = 10;
  expect(results.at(-1)).toEqual({
    line: "completion: ok",
    text: expect.stringContaining("no modules with requirements"),
  });
});

test.each([true, false])(
  "a refresh token gives access tokens, which are renewed when they are refused (lifetime stated: %s)",
  async (givesLifetime) => {
    Object.assign(server, { givesLifetime, token: "nobody's" });
    const { source } = await withKey();
    const [courses] = source.stages;
    const scope = { contextKey: "", externalId: "", displayName: "" };
    const lookups = { keysOf: async () => new Map() } as unknown as Lookups;
    const read = async () => (await courses?.page(null, scope, lookups))?.contexts?.length;
    expect([await read(), await read(), server.tokensGiven]).toEqual([2, 2, 1]);
    server.token = "another"; // the former token was removed
    expect([await read(), server.tokensGiven]).toEqual([2, 2]);
  },
);

test.each([
  ["client", { client_id: "8" }, "Check client_id and client_secret_file"],
  ["refresh token", {}, "Check refresh_token_file"],
])("a missing token is named, as for another %s", async (what, settings, remedy) => {
  const other = join(bench.place.DATA_DIR, "other");
  await writeFile(other, "something else");
  const more = what === "client" ? settings : { refresh_token_file: other };
  const [first] = await resultsOf(await withKey(more));
  expect(first).toEqual({ line: "courses: failed", text: expect.stringContaining(remedy) });
});

test("a refused access token is named, and ends a sweep", async () => {
  server.token = "another";
  const text = "courses: Canvas rejects the token (401). Check token_file.";
  expect(await resultsOf(await bench.open())).toEqual([{ line: "courses: failed", text }]);
  expect(await bench.sweep()).toMatchObject({ state: "failed", reason: text });
});

test("an address that is not a Canvas is reported", async () => {
  const [first] = await resultsOf(await bench.openWith({ base_url: `${server.url}/elsewhere` }));
  expect(first?.text).toContain("Check base_url and account");
});

test.each([
  [{ client_id: "7" }],
  [{ token_file: undefined }],
  [{ token_file: undefined, client_id: "7", client_secret_file: "x" }],
])("settings with both kinds of tokens, or with half of one, are refused: %j", async (settings) => {
  await expect(bench.openWith(settings)).rejects.toThrow(
    "token_file: set either token_file, or client_id, client_secret_file and refresh_token_file",
  );
});
