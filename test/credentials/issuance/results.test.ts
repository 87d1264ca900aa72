import { readFile } from "node:fs/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, test } from "vitest";
import { verifyBadge } from "#formats/badges/verify-badge.js";
import { VerifiableCredentialFormat } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
import { findingsOn } from "../../support/health.js";
import { completed, enrolled } from "../../support/records.js";

const PATH = "path-v1:Uni+P1+2026+all";
const SECOND = "course-v1:Uni+C2+2026";

const academy = givenAcademy({ signs: true });
let path: number;
let completion: number;
let second: number;

beforeAll(async () => {
  await academy.report(
    {
      case: "course",
      value: {
        courseKey: SECOND,
        displayName: "Course Two",
        gradingPolicy: [
          { assignmentType: "Exam", weight: 0.7 },
          { assignmentType: "Lab", weight: 0.3 },
        ],
      },
    },
    {
      case: "learningPath",
      value: { pathKey: PATH, displayName: "Both Courses", stepCourseKeys: [SECOND, COURSE] },
    },
  );
  path = await configurationFor(PATH, "retrieve_completions_and_grades", {
    required_completion: 0.5,
    required_grades: { Exam: 0.6 },
    steps: { [COURSE]: { required_completion: 0, required_grades: { Total: 0.1 } } },
  });
  completion = await configurationFor(SECOND, "retrieve_completions", {});
  second = await configurationFor(SECOND, "retrieve_subsection_grades", { required_grades: { Exam: 0.5 } });
});

async function configurationFor(key: string, processor: string, customOptions: JsonObject): Promise<number> {
  const { id } = await offerCredential(
    academy.configurations,
    key,
    `By ${processor}`,
    processor,
    customOptions,
  );
  return id;
}

/** Enrols a learner in both courses and the path: 90 % in the exams, 1/3 in the lab, 95 % completed. */
async function storeRecords(username: string): Promise<void> {
  await academy.enrol(username);
  await academy.report(
    ...[SECOND, PATH].map((learningContextKey) => enrolled(username, learningContextKey)),
    grade(username, "Exam", 9, 10),
    grade(username, "Lab", 1, 3),
    completed(username, SECOND, 0.95),
  );
}

function grade(username: string, assignmentType: string, earned: number, possible: number) {
  const value = { username, courseKey: SECOND, usageKey: assignmentType, assignmentType, earned, possible };
  return { case: "subsectionGrade" as const, value };
}

const issue = (username: string, configurationId = academy.configurationId, skipEligibilityCheck = false) =>
  academy.credentials.issueCredential({ configurationId, username, skipEligibilityCheck });

const configure = (customOptions: JsonObject, id = academy.configurationId) =>
  academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id, customOptions },
    updateMask: { paths: ["custom_options"] },
  });

const resultsOf = async (uuid: string) => {
  const { results } = await academy.credentials.getCredential({ uuid });
  return results.map(({ $typeName, ...result }) => result);
};

/** Starts a run, which issues to all eligible learners. Returns the credential of this learner. */
async function byRun(username: string, configurationId: number): Promise<string> {
  await academy.credentials.startIssuanceRun({ configurationId });
  const { credentials } = await academy.credentials.listCredentials({ username, configurationId });
  return credentials.at(-1)?.uuid ?? "";
}

const inFirst = { courseKey: COURSE, name: "Course One", grades: { exam: 90, total: 90 }, letter: "" };
const inSecond = {
  courseKey: SECOND,
  name: "Course Two",
  grades: { exam: 90, lab: 33.333333, total: 73 },
  completion: 0.95,
  letter: "",
};

describe("a credential keeps the results with which it was earned", () => {
  test.each([
    { what: "grades", configuration: () => academy.configurationId, results: [inFirst] },
    {
      what: "completion",
      configuration: () => completion,
      results: [{ courseKey: SECOND, name: "Course Two", grades: {}, completion: 0.95, letter: "" }],
    },
    { what: "steps", configuration: () => path, results: [inSecond, { ...inFirst, completion: 0 }] },
  ])("$what, issued alone or by a run", async ({ what, configuration, results }) => {
    await storeRecords(`alone-${what}`);
    await storeRecords(`run-${what}`);
    const alone = await issue(`alone-${what}`, configuration());
    expect(await resultsOf(alone.uuid)).toEqual(results);
    expect(await resultsOf(await byRun(`run-${what}`, configuration()))).toEqual(results);
  });

  test("whatever the records contain later, also when it is reissued, alone or in bulk", async () => {
    await storeRecords("ben");
    const first = await issue("ben");
    await academy.generate(first.uuid);
    await academy.report(exam("ben", 10));
    expect(await resultsOf(first.uuid)).toEqual([inFirst]);
    const second = await academy.credentials.reissueCredential({ uuid: first.uuid, reason: "Name" });
    expect(await resultsOf(second.uuid)).toEqual([inFirst]);
    await academy.generate(second.uuid);
    await academy.credentials.reissueCredentials({
      filter: { username: "ben" },
      reason: "Design",
    });
    const { replacedByUuid } = await academy.credentials.getCredential({ uuid: second.uuid });
    expect(await resultsOf(replacedByUuid)).toEqual([inFirst]);
  });

  test("a failed credential that is issued again has the results of that day", async () => {
    await storeRecords("cleo");
    const failed = await issue("cleo");
    await academy.fail(failed.uuid);
    await academy.report(exam("cleo", 10));
    const { uuid } = await issue("cleo");
    expect(await resultsOf(uuid)).toEqual([{ ...inFirst, grades: { exam: 100, total: 100 } }]);
  });

  test("the total is the platform's own if the requirement uses it", async () => {
    await storeRecords("dan");
    await academy.report({
      case: "courseGrade",
      value: { username: "dan", courseKey: COURSE, percent: 0.885 },
    });
    await configure({ use_platform_total: true });
    const { uuid } = await issue("dan");
    await configure({});
    expect(await resultsOf(uuid)).toEqual([{ ...inFirst, grades: { exam: 90, total: 88.5 } }]);
  });

  test.each(["alone", "run"])(
    "with types outside the policy, without those of no points, %s",
    async (how) => {
      const username = `outside-${how}`;
      await academy.enrol(username);
      await academy.report(enrolled(username, SECOND));
      await academy.report(completed(username, SECOND, 1));
      await academy.report(
        grade(username, "Exam", 1, 1),
        grade(username, "Lab", 0, 0),
        grade(username, "Survey", 2, 3),
        grade(username, "Extra", 0, 0),
      );
      const uuid = how === "alone" ? (await issue(username, second)).uuid : await byRun(username, second);
      const grades = { exam: 100, survey: 66.666667, total: 70 };
      expect(await resultsOf(uuid)).toEqual([{ courseKey: SECOND, name: "Course Two", grades, letter: "" }]);
    },
  );

  test("without eligibility, it keeps the known results", async () => {
    await academy.report({ case: "learner", value: { username: "dora", fullName: "Dora" } });
    const { uuid } = await issue("dora", academy.configurationId, true);
    expect(await resultsOf(uuid)).toEqual([{ ...inFirst, grades: { total: 0 } }]);
  });
});

test("lists leave out results, and doctor checks them", async () => {
  await storeRecords("emil");
  const { uuid } = await issue("emil");
  const { credentials } = await academy.credentials.listCredentials({ username: "emil" });
  expect(credentials.map(({ results }) => results)).toEqual([[]]);
  const { knex } = academy.service.app.database;
  const tampered = async () => JSON.stringify(await findingsOn(academy.service.app)).includes(uuid);
  await knex.raw("select seal_credential_events(10000)");
  expect(await tampered()).toBe(false);
  await knex.raw(
    "update credentials set results = jsonb_set(results, '{courses,0,grades,exam}', '99') where uuid = ?",
    [uuid],
  );
  expect(await tampered()).toBe(true);
});

test("completion and the number of steps are printed if the design contains them", async () => {
  await storeRecords("finn");
  const printedOf = async (configurationId: number) => {
    await configure(
      {
        text_elements: { facts: { text: "{completion} of {steps}\n{completion}\n{steps} courses", y: 300 } },
      },
      configurationId,
    );
    const { uuid } = await issue("finn", configurationId);
    await academy.generate(uuid);
    const [file = ""] = await academy.filesOf(uuid);
    return (await readPdf(await readFile(file))).items.map(({ text }) => text);
  };
  const ofCourse = await printedOf(completion);
  expect(ofCourse).toContain("95%");
  expect(ofCourse.join("\n")).not.toContain("courses");
  expect(await printedOf(path)).toContain("2 courses");
});

const GRADED = "course-v1:Uni+C3+2026";

/**
 * Enrols a learner in a course. The platform gave the learner B+ and the result passed. Returns the course's
 * configuration.
 */
async function ofPlatform(username: string, customOptions: JsonObject = {}): Promise<number> {
  await academy.enrol(username);
  await academy.report(
    {
      case: "course",
      value: { courseKey: GRADED, displayName: "Course Three", letterGrades: ["A", "B+", "B", "C", "D"] },
    },
    enrolled(username, GRADED),
    {
      case: "courseGrade",
      value: { username, courseKey: GRADED, percent: 0.88, passed: true, letter: "B+" },
    },
  );
  const options = {
    required_letter: "B",
    required_passed: true,
    open_badge: { results: true },
    ...customOptions,
  };
  const { id } = await offerCredential(
    academy.configurations,
    GRADED,
    `Graded ${username}`,
    "retrieve_subsection_grades",
    options,
  );
  return id;
}

test.each([
  { language: "en", lines: ["B+: Passed"], label: "Letter grade" },
  { language: "de", lines: ["B+: Bestanden"], label: "Note" },
  { language: "ar", lines: ["B+"], label: "التقدير الحرفي" },
])("letter grade and passing are printed if the design contains them, $language", async (each) => {
  const { language, lines, label } = each;
  const text = language === "ar" ? "{letter_grade}" : "{letter_grade}: {passed}";
  const username = `printed-${language}`;
  const configurationId = await ofPlatform(username, {
    language,
    facts: ["letter_grade", "passed"],
    text_elements: { extra: { text, y: 300 } },
  });
  const { uuid } = await issue(username, configurationId);
  await academy.generate(uuid);
  await academy.report({
    case: "courseGrade",
    value: { username, courseKey: GRADED, percent: 0.9, letter: "A" },
  });
  const second = await academy.credentials.reissueCredential({ uuid, reason: "Name" });
  await academy.generate(second.uuid);
  for (const each of [uuid, second.uuid]) {
    const where = each === uuid ? "_invalidated" : "";
    if (where) await academy.moveFile(each);
    const [file = ""] = await academy.filesOf(each, where);
    const texts = (await readPdf(await readFile(file))).items.map((item) => item.text);
    expect(texts, each).toEqual(expect.arrayContaining(lines));
    expect(texts.join(" ").normalize("NFKC"), each).toContain(language === "ar" ? "B+" : label);
  }
});

describe("an Open Badge", () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape
  async function badgeOf(username: string, configurationId: number): Promise<any> {
    const { uuid } = await issue(username, configurationId);
    await academy.generate(uuid);
    const format = VerifiableCredentialFormat.JSON;
    const { content } = await academy.credentials.getVerifiableCredential({ uuid, format });
    const text = Buffer.from(content).toString();
    const list = async (url: string) => (await fetch(academy.service.httpUrl + new URL(url).pathname)).json();
    expect(await verifyBadge(text, list, new Date())).toMatchObject({ problems: [] });
    return JSON.parse(text);
  }

  test("states no results by default", async () => {
    await configure({});
    await storeRecords("gina");
    const badge = await badgeOf("gina", academy.configurationId);
    expect(JSON.stringify(badge)).not.toMatch(/"result|"90"/);
  });

  test("states each with its description if the type requires it", async () => {
    await configure({ open_badge: { results: true } });
    await storeRecords("hugo");
    const { credentialSubject } = await badgeOf("hugo", academy.configurationId);
    const { result, achievement } = credentialSubject;
    expect(achievement.resultDescription).toEqual(
      ["exam", "total"].map((name) => ({
        id: expect.stringMatching(/^urn:uuid:/),
        type: ["ResultDescription"],
        name,
        resultType: "Percent",
      })),
    );
    expect(result).toEqual(
      [0, 1].map((index) => ({
        type: ["Result"],
        resultDescription: achievement.resultDescription[index].id,
        value: "90",
      })),
    );
  });

  test("states the platform's letter grade with its scale, and whether the course was passed", async () => {
    const { credentialSubject } = await badgeOf("letty", await ofPlatform("letty"));
    const { result, achievement } = credentialSubject;
    expect(achievement.resultDescription).toMatchObject([
      { name: "total", resultType: "Percent" },
      { name: "letter grade", resultType: "LetterGrade", allowedValue: ["D", "C", "B", "B+", "A"] },
      { name: "passed", resultType: "Status" },
    ]);
    expect(result.slice(1)).toEqual([
      { type: ["Result"], resultDescription: achievement.resultDescription[1].id, value: "B+" },
      { type: ["Result"], resultDescription: achievement.resultDescription[2].id, status: "Completed" },
    ]);
  });

  test("of a learning path states the total of each step, by the step's name", async () => {
    await configure({ open_badge: { results: true } }, path);
    await storeRecords("ida");
    const { credentialSubject } = await badgeOf("ida", path);
    const { result, achievement } = credentialSubject;
    expect(achievement.resultDescription.map(({ name }: { name: string }) => name)).toEqual([
      "Course Two: total",
      "Course One: total",
    ]);
    expect(result.map(({ value }: { value: string }) => value)).toEqual(["73", "90"]);
  });
});
