import type { JsonObject } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, test } from "vitest";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";
import { tokenOf } from "../../support/service.js";

const UNSCALED = "course-v1:Uni+Unscaled+2026";
const PATH = "path-v1:Uni+Verdicts+2026+all";

const academy = givenAcademy();

const said = (
  username: string,
  value: { percent?: number; passed?: boolean; letter?: string },
  of = COURSE,
) => ({
  case: "courseGrade" as const,
  value: { username, courseKey: of, ...value },
});

beforeAll(async () => {
  await academy.report(
    {
      case: "course",
      value: {
        courseKey: COURSE,
        displayName: "Course One",
        gradingPolicy: [{ assignmentType: "Exam", weight: 1 }],
        letterGrades: ["A", "B", "C", "F"],
      },
    },
    { case: "course", value: { courseKey: UNSCALED, displayName: "Course Two" } },
    {
      case: "learningPath",
      value: { pathKey: PATH, displayName: "Both", stepCourseKeys: [COURSE, UNSCALED] },
    },
  );
  await academy.enrol("best", "good", "poor", "unknown", "withdrawn");
  await academy.report(
    said("best", { percent: 0.95, passed: true, letter: "A" }),
    said("good", { passed: true, letter: "B" }),
    said("poor", { percent: 0.4, passed: false, letter: "C" }),
    said("withdrawn", { passed: true, letter: "A" }),
  );
  await academy.withdraw(said("withdrawn", {}));
});

let offers = 0;

async function offer(processor: string, options: JsonObject, key = COURSE) {
  const { id } = await offerCredential(
    academy.configurations,
    key,
    `Verdict ${++offers}`,
    processor,
    options,
  );
  const staff = await tokenOf({ username: "registrar", isStaff: true });
  const eligibility = academy.service.client(EligibilityService, staff);
  const listed: string[] = [];
  for await (const { learners } of eligibility.listEligibleLearners({ configurationId: id }))
    listed.push(...learners.map(({ username }) => username));
  const entryOf = async (username: string) => {
    const url = `${academy.service.httpUrl}/api/learning_credentials/v1/eligibility/${key}/?username=${username}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${staff}` } });
    const { credentials } = (await answer.json()) as { credentials: Record<string, unknown>[] };
    return credentials.find(({ name }) => name === `Verdict ${offers}`);
  };
  const issue = (username: string) => academy.credentials.issueCredential({ configurationId: id, username });
  return { id, listed, entryOf, issue, eligibility };
}

describe("a course that must be passed on the platform", () => {
  test("is, for learners whom the platform reports as passed; unknown means not passed", async () => {
    const { listed, entryOf, issue } = await offer("retrieve_subsection_grades", { required_passed: true });
    expect(listed).toEqual(["best", "good"]);
    expect(await entryOf("best")).toMatchObject({
      is_eligible: true,
      current_grades: { exam: 90, total: 90 },
      required_grades: { total: 0 },
      current_passed: true,
      required_passed: true,
    });
    expect(await entryOf("poor")).toMatchObject({ is_eligible: false, current_passed: false });
    for (const username of ["unknown", "withdrawn"]) {
      const entry = await entryOf(username);
      expect(entry).toMatchObject({ is_eligible: false, required_passed: true });
      expect(entry).not.toHaveProperty("current_passed");
    }
    await expect(issue("poor")).rejects.toThrow("not passed on the platform");
    await expect(issue("unknown")).rejects.toThrow(
      "the platform has not reported whether the course is passed",
    );
    const { uuid } = await issue("good");
    const { results } = await academy.credentials.getCredential({ uuid });
    expect(results).toMatchObject([{ courseKey: COURSE, passed: true, letter: "" }]);
  });

  test("beside other requirements, which apply, too", async () => {
    const options = { required_grades: { Exam: 0.9 }, required_completion: 0, required_passed: true };
    const { listed } = await offer("retrieve_completions_and_grades", options);
    expect(listed).toEqual(["best", "good"]);
    const { listed: completed } = await offer("retrieve_completions", { required_passed: true });
    expect(completed).toEqual([]);
  });

  test("is neither required nor shown if the option is off", async () => {
    const { listed, entryOf } = await offer("retrieve_subsection_grades", {
      required_grades: { Exam: 0.9 },
      required_passed: false,
    });
    expect(listed).toEqual(["best", "good", "poor", "unknown", "withdrawn"]);
    expect(Object.keys((await entryOf("best")) ?? {})).toEqual([
      "credential_type_id",
      "name",
      "is_eligible",
      "existing_credential",
      "current_grades",
      "required_grades",
    ]);
  });
});

describe("a letter grade", () => {
  test("is reached by the letters before it in the course's scale", async () => {
    const { listed, entryOf, issue } = await offer("retrieve_completions", {
      required_completion: 0,
      required_letter: "B",
    });
    expect(listed).toEqual(["best", "good"]);
    expect(await entryOf("best")).toMatchObject({
      is_eligible: true,
      current_letter: "A",
      required_letter: "B",
      accepted_letters: ["A", "B"],
    });
    expect(await entryOf("poor")).toMatchObject({ is_eligible: false, current_letter: "C" });
    expect(await entryOf("unknown")).not.toHaveProperty("current_letter");
    await expect(issue("poor")).rejects.toThrow("letter grade: C, B required");
    await expect(issue("unknown")).rejects.toThrow("letter grade: none, B required");
    const { results } = await academy.credentials.getCredential({ uuid: (await issue("best")).uuid });
    expect(results).toMatchObject([{ courseKey: COURSE, letter: "A" }]);
  });

  test("outside a scale is reached only by the same letter, in the same case", async () => {
    await academy.report(
      ...["best", "good", "poor"].map((username) => enrolled(username, UNSCALED)),
      said("best", { letter: "A" }, UNSCALED),
      said("good", { letter: "B" }, UNSCALED),
      said("poor", { letter: "b" }, UNSCALED),
    );
    const { listed } = await offer("retrieve_subsection_grades", { required_letter: "B" }, UNSCALED);
    expect(listed).toEqual(["good"]);
  });

  test("of a step may differ from that of the path", async () => {
    await academy.report(...["best", "good"].map((username) => enrolled(username, PATH)));
    const { listed, entryOf } = await offer(
      "retrieve_subsection_grades",
      { required_letter: "B", steps: { [COURSE]: { required_passed: true } } },
      PATH,
    );
    expect(listed).toEqual(["good"]);
    expect(await entryOf("best")).toMatchObject({
      is_eligible: false,
      steps: {
        [COURSE]: { is_eligible: true, required_passed: true },
        [UNSCALED]: { is_eligible: false, current_letter: "A", accepted_letters: ["B"] },
      },
    });
  });

  test("that the course does not have is named in a preview, with the course's letters", async () => {
    const { eligibility } = await offer("retrieve_subsection_grades", { required_passed: true });
    const preview = await eligibility.previewEligibility({
      learningContextKey: COURSE,
      retrievalFunc: "learning_credentials.processors.retrieve_subsection_grades",
      customOptions: { required_letter: "Pass" },
    });
    expect(preview.warnings).toEqual([
      `${COURSE}: the letter grade "Pass" is required, but the platform's letter grades are "A", "B", "C", "F".`,
    ]);
    expect(preview.courses).toMatchObject([{ courseKey: COURSE, letterGrades: ["A", "B", "C", "F"] }]);
    const unscaled = await eligibility.previewEligibility({
      learningContextKey: UNSCALED,
      retrievalFunc: "learning_credentials.processors.retrieve_completions",
    });
    expect(unscaled.courses).toMatchObject([{ letterGrades: ["A", "B", "b"] }]);
  });
});

test("a planned run names platform results that no learner has", async () => {
  await academy.report({
    case: "course",
    value: { courseKey: "course-v1:Uni+Silent+2026", displayName: "Silent" },
  });
  const { id } = await offer(
    "retrieve_subsection_grades",
    { required_passed: true, required_letter: "B" },
    "course-v1:Uni+Silent+2026",
  );
  const { plan } = await academy.credentials.startIssuanceRun({ configurationId: id, dryRun: true });
  expect(plan?.warnings).toEqual([
    "course-v1:Uni+Silent+2026: the course must be passed, but the platform has not reported for any learner whether they passed.",
    'course-v1:Uni+Silent+2026: the letter grade "B" is required, but no learner has a letter grade.',
  ]);
});

test("a record with none of percent, passed and letter means a total of 0, as in the first release", async () => {
  await academy.report(said("zero", {}), said("lettered", { letter: "A" }));
  const rows = await academy.service.app.database
    .knex("course_grades")
    .whereIn("username", ["zero", "lettered"])
    .orderBy("username")
    .select("username", "percent", "passed");
  expect(rows).toEqual([
    { username: "lettered", percent: null, passed: null },
    { username: "zero", percent: "0", passed: null },
  ]);
});
