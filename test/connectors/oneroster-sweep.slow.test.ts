import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkConnector } from "#domain/connectors/check-connector.js";
import { followHints } from "#domain/connectors/sweep/follow-hints.js";
import { requestUpdate } from "#domain/learners/connector-accounts.js";
import { type Bench, openBench } from "./bench.js";
import { type FakeOneRoster, startFakeOneRoster } from "./fake-oneroster.js";
import { enrolled, expectNothingNew, grades, known } from "./known.js";
import {
  createOneRosterSite,
  FUTURE,
  grade,
  joins,
  type OneRosterSite,
  oneRosterLines,
  PAST,
  type SiteClass,
} from "./oneroster-site.js";

const ALL = { final_line_item: "Final", categories: true };

let site: OneRosterSite;
let server: FakeOneRoster;
let bench: Bench;
afterEach(async () => {
  await bench.close();
  await server.close();
});

/** Opens a provider with this number of classes, and this number of students in each. */
async function open(
  { classes = 1, students = 0 }: { classes?: number; students?: number },
  version: "1.1" | "1.2" = "1.2",
  more: Record<string, unknown> = ALL,
) {
  site = createOneRosterSite({ classes, students });
  server = await startFakeOneRoster(site, version);
  bench = await openBench(server.url, { type: "oneroster", version, ...more });
  const [first] = site.classes.values();
  return first as SiteClass;
}

describe.each([
  ["1.1", "total"],
  ["1.2", "plain"],
  ["1.2", "links"],
  ["1.2", "blank"],
] as const)("version %s with pages by %s", (version, pages) => {
  it("reads everything; the second time it writes nothing", async () => {
    await open({ classes: 3, students: 230 }, version);
    server.pages = pages;
    const report = await bench.sweep();
    expect(report).toMatchObject({ state: "complete", failures: [] });
    expect(report.withheld).toEqual([
      { scope: "course-v1:Uni+C_1+class-1", reason: expect.stringContaining(`runs until ${FUTURE}`) },
    ]);
    expect(await known(bench.database.knex)).toEqual(oneRosterLines(site, 230));
    await expectNothingNew(bench);
  });
});

it("an enrolment is read by its role, status and days; one that ended with the class is kept, an earlier one is not", async () => {
  const one = await open({});
  const now = [...Array(12).keys()];
  joins(site, one, 0, { beginDate: FUTURE });
  joins(site, one, 1, { beginDate: "2019-09-01", endDate: PAST });
  joins(site, one, 2, { beginDate: "2019-09-01T00:00:00.000Z", endDate: "2020-01-31" });
  joins(site, one, 3, { status: "tobedeleted" });
  joins(site, one, 4, { endDate: null });
  joins(site, one, 5, { endDate: "2020-01-31" });
  joins(site, one, 5);
  joins(site, one, 6, { role: "teacher" });
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  const all = {
    learner0: false,
    learner1: true,
    learner2: false,
    learner3: false,
    learner4: true,
    learner5: true,
  };
  expect(await enrolled(bench.database.knex)).toEqual(all);
  one.enrolments.splice(0, one.enrolments.length);
  for (const student of now.slice(1, 6)) joins(site, one, student);
  expect(await bench.sweep()).toMatchObject({ state: "complete" });
  expect(await enrolled(bench.database.knex)).toEqual({ ...all, learner2: true, learner3: true });
  one.enrolments.splice(0, 1);
  expect(await bench.sweep()).toMatchObject({ tally: { "enrollment.withdrawn": 1 } });
  expect(await enrolled(bench.database.knex)).toMatchObject({ learner1: false, learner2: true });
});

it("names are the preferred ones; disabled users are inactive, and users without a username are left out", async () => {
  const one = await open({}, "1.1");
  for (const student of [0, 1, 2, 3]) joins(site, one, student);
  const reported = (student: number, more: Record<string, unknown>) =>
    site.users.set(`s${student}`, { id: `s${student}`, username: `learner${student}`, more });
  reported(0, { preferredGivenName: "Ana", preferredFamilyName: null });
  reported(1, { preferredFirstName: "Bo", preferredLastName: "Li", enabledUser: "false" });
  reported(2, { email: null });
  site.users.set("s3", { id: "s3", username: "" });
  expect(await bench.sweep()).toMatchObject({
    state: "complete",
    tally: { "account without username": 1 },
  });
  const rows = await bench.database.knex("learners").orderBy("username");
  expect(rows.map((row) => [row.username, row.full_name, row.email, row.is_active, row.learner_id])).toEqual([
    ["learner0", "Ana Qvortrup", "learner0@secretmail.example", true, "S-s0"],
    ["learner1", "Bo Li", "learner1@secretmail.example", false, "S-s1"],
    ["learner2", "Given s2 Qvortrup", "", true, "S-s2"],
  ]);
});

describe("partial facts", () => {
  it("only a final grade is used, and a category with an ungraded item is not attained", async () => {
    const one = await open({});
    for (const student of [0, 1, 2, 3]) joins(site, one, student);
    grade(one, 0, "fin", "partially graded", 20);
    grade(one, 0, "hw1", "submitted", null);
    grade(one, 0, "hw2", "fully graded", 5);
    grade(one, 1, "fin", "fully graded", 25);
    grade(one, 1, "hw1", "exempt", null);
    grade(one, 1, "hw2", "fully graded", 5);
    grade(one, 2, "hw1", "not submitted", null);
    grade(one, 2, "hw2", "fully graded", 5);
    await bench.sweep();
    expect(await grades(bench.database.knex)).toEqual([
      "learner0 course total 0/0",
      "learner0 homework 0/0",
      "learner1 course total 20/20",
      "learner1 homework 5/5",
      "learner2 homework 5/15",
      "learner3 homework 0/15",
    ]);
  });

  it("a running class has no categories, even if it had ended before; two final grades are treated as none", async () => {
    const one = await open({});
    joins(site, one, 0);
    grade(one, 0, "hw1", "fully graded", 10);
    grade(one, 0, "fin", "fully graded", 20);
    await bench.sweep();
    expect(await grades(bench.database.knex)).toEqual([
      "learner0 course total 20/20",
      "learner0 homework 10/15",
    ]);
    site.terms.set("past", FUTURE);
    one.items.push({ id: "another", title: "FINAL", categoryId: "ex", most: 20 });
    const { withheld } = await bench.sweep();
    expect(withheld.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/2 line items .*; the class runs until 2199-06-30/),
    ]);
    expect(await grades(bench.database.knex)).toEqual(["learner0 course total 20/20"]);
    site.terms.delete("past");
    expect((await bench.sweep()).withheld[0]?.reason).toMatch(/no term with an end/);
  });

  it("a deleted final line item makes the total unattained, even if another replaces it", async () => {
    const one = await open({});
    for (const student of [0, 1]) {
      joins(site, one, student);
      grade(one, student, "fin", "fully graded", 20);
    }
    await bench.sweep();
    const totals = async () =>
      (await grades(bench.database.knex)).filter((line) => line.includes("course total"));
    expect(await totals()).toEqual(["learner0 course total 20/20", "learner1 course total 20/20"]);
    for (const item of one.items) if (item.id === "fin-0") item.status = "tobedeleted";
    expect(await bench.sweep()).toMatchObject({ state: "complete" });
    expect(await totals()).toEqual(["learner0 course total 0/0", "learner1 course total 0/0"]);
    one.items.push({ id: "again-0", title: "Final", categoryId: "ex", most: 10 });
    grade(one, 0, "again", "fully graded", 9);
    await bench.sweep();
    expect(await totals()).toEqual(["learner0 course total 9/10", "learner1 course total 0/0"]);
    expect(await bench.database.knex("course_grades").orderBy("username").pluck("percent")).toEqual([
      "0.9",
      "0",
    ]);
  });

  it("a deleted category or line item takes its grades with it", async () => {
    const one = await open({});
    joins(site, one, 0);
    grade(one, 0, "hw1", "fully graded", 10);
    grade(one, 0, "hw2", "fully graded", 5);
    await bench.sweep();
    expect(await grades(bench.database.knex)).toEqual(["learner0 homework 15/15"]);
    for (const item of one.items) if (item.id === "hw2-0") item.status = "tobedeleted";
    await bench.sweep();
    expect(await grades(bench.database.knex)).toEqual(["learner0 homework 10/10"]);
    site.deletedCategories.add("hw");
    expect((await bench.sweep()).withheld).toEqual([]);
    expect(await grades(bench.database.knex)).toEqual([]);
  });

  it("a line item without a category prevents no other category", async () => {
    const one = await open({});
    joins(site, one, 0);
    grade(one, 0, "hw1", "fully graded", 10);
    one.items.push({ id: "loose", title: "Loose", most: 20 });
    expect((await bench.sweep()).withheld).toEqual([]);
    expect(await grades(bench.database.knex)).toEqual(["learner0 homework 10/15"]);
  });

  it("an ended class without the final line item is reported, and so is a title that no class has", async () => {
    await open({ classes: 2, students: 1 }, "1.2", { final_line_item: "Finale" });
    const { withheld } = await bench.sweep();
    expect(withheld).toEqual([
      { scope: "course-v1:Uni+C_0+class-0", reason: expect.stringContaining("no line item has the title") },
    ]);
    const outcomes = [];
    for await (const { what, outcome } of checkConnector(await bench.open()))
      if (outcome !== "ok") outcomes.push([what, outcome]);
    expect(outcomes).toEqual([["final grade", "warning"]]);
  });
});

it("nobody is read between sweeps: requests to read a learner again are dropped", async () => {
  await open({ students: 3 });
  await bench.sweep();
  const { knex } = bench.database;
  await requestUpdate(knex, "learner0", "course-v1:Uni+C_0+class-0");
  expect(await knex("connector_hints")).toHaveLength(1);
  const received = server.received.length;
  await followHints(await bench.open(), new AbortController().signal);
  expect(await knex("connector_hints")).toEqual([]);
  expect(server.received.length).toBe(received);
});

describe("a scope that the provider does not permit", () => {
  async function check() {
    const results = [];
    for await (const result of checkConnector(await bench.open())) results.push(result);
    return results;
  }

  it("is named by `check`: each scope, the client, the address, and what is left out", async () => {
    const one = await open({ students: 3 });
    expect((await check()).map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    const failed = async () => (await check()).find(({ outcome }) => outcome === "failed");
    server.lacking.add("gradebook");
    expect(await failed()).toMatchObject({
      what: "line items, categories and results",
      text: expect.stringContaining("https://purl.imsglobal.org/spec/or/v1p2/scope/gradebook.readonly"),
    });
    server.lacking.add("roster");
    expect((await failed())?.text).toContain("https://purl.imsglobal.org/spec/or/v1p2/scope/roster.readonly");
    server.lacking.clear();
    server.refusesScopes = true;
    expect((await failed())?.text).toContain("set scopes to false");
    const without = await bench.openWith({ scopes: false });
    for await (const { outcome } of checkConnector(without)) expect(outcome).not.toBe("failed");
    server.refusesScopes = false;
    server.fault = ({ url }) =>
      url.pathname.endsWith("/students") ? { status: 404, body: { imsx_codeMajor: "failure" } } : undefined;
    expect((await failed())?.text).toMatch(/only the core of OneRoster/);
    server.fault = () => undefined;
    for (const { userId } of one.enrolments)
      site.users.set(userId, { id: userId, username: `learner${userId}`, more: { email: null } });
    expect((await check()).find(({ what }) => what === "addresses")?.text).toMatch(
      /^The provider returns no email address for 3 learners on that page/,
    );
    for (const { userId } of one.enrolments) site.users.set(userId, { id: userId, username: "" });
    expect((await failed())?.text).toMatch(/no student has the field username/);
  });

  it("is also reported for a token entered by hand; settings with both are refused", async () => {
    await open({ students: 3 });
    const file = join(bench.place.DATA_DIR, "given-token");
    await writeFile(file, `${server.token}\n`);
    const none = { token_url: undefined, client_id: undefined, client_secret_file: undefined };
    const outcomes = async () => {
      const found = [];
      for await (const { outcome, text } of checkConnector(
        await bench.openWith({ ...none, token_file: file }),
      ))
        found.push(outcome === "ok" ? outcome : text);
      return found;
    };
    expect(await outcomes()).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    expect(server.received.filter(({ url }) => url.pathname === "/oauth2/token")).toEqual([]);
    server.token = "token-2";
    expect(await outcomes()).toEqual(["classes: the provider rejects the token (401). Check token_file."]);
    await expect(bench.openWith({ token_file: file })).rejects.toThrow(
      "token_file: set either token_file, or token_url, client_id and client_secret_file",
    );
    await expect(bench.openWith({ allow_http: false, base_url: "https://sis.test" })).rejects.toThrow(
      "token_url: must start with https://",
    );
  });

  it("affects only its part of a class; a token that expires is renewed", async () => {
    await open({ classes: 3, students: 5 });
    await bench.sweep();
    const before = await known(bench.database.knex);
    server.token = "token-2";
    server.fault = ({ url }) =>
      url.pathname.endsWith("class-0/results") ? { status: 403, body: "" } : undefined;
    expect(await bench.sweep()).toMatchObject({
      state: "partial",
      failures: [{ stage: "results", scope: "course-v1:Uni+C_0+class-0" }],
    });
    expect(await known(bench.database.knex)).toEqual(before);
  });
});
