import { readFile } from "node:fs/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { verifyBadge } from "#formats/badges/verify-badge.js";
import { VerifiableCredentialFormat } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { readPdf } from "../../rendering/read-pdf.js";
import { givenAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";

const academy = givenAcademy({ signs: true });
const GRADED = "course-v1:Uni+C4+2026";
let offers = 0;

/** Enrols a learner with a grade from the platform. Returns a configuration whose documents print {grade}. */
async function offered(
  username: string,
  courseGrade: { readonly percent?: number; readonly letter?: string; readonly passed?: boolean },
  customOptions: JsonObject,
): Promise<number> {
  await academy.enrol(username);
  await academy.report(
    { case: "course", value: { courseKey: GRADED, displayName: "Course Four" } },
    enrolled(username, GRADED),
    { case: "courseGrade", value: { username, courseKey: GRADED, ...courseGrade } },
  );
  const { id } = await offerCredential(
    academy.configurations,
    GRADED,
    `Offer ${++offers}`,
    "retrieve_subsection_grades",
    {
      required_grades: { Total: 0 },
      use_platform_total: true,
      public_facts: ["grade"],
      open_badge: { results: true },
      text_elements: { extra: { text: "Result: {grade}", y: 300 } },
      ...customOptions,
    },
  );
  return id;
}

/** Returns how the document, the verification page and the badge show the grade. */
async function saidOf(uuid: string) {
  await academy.generate(uuid);
  const [file = ""] = await academy.filesOf(uuid);
  const printed = (await readPdf(await readFile(file))).items.map(({ text }) => text);
  const { verifyUuid } = await academy.credentials.getCredential({ uuid });
  const page = await (await fetch(`${academy.service.httpUrl}/verify/${verifyUuid}/?lang=en`)).text();
  const format = VerifiableCredentialFormat.JSON;
  const { content } = await academy.credentials.getVerifiableCredential({ uuid, format });
  const text = Buffer.from(content).toString();
  const list = async (url: string) => (await fetch(academy.service.httpUrl + new URL(url).pathname)).json();
  expect(await verifyBadge(text, list, new Date())).toMatchObject({ problems: [] });
  const { achievement, result } = JSON.parse(text).credentialSubject;
  const index = achievement.resultDescription.findIndex(({ name }: { name: string }) => name === "grade");
  return {
    printed: printed.find((each) => each.startsWith("Result: "))?.slice(8),
    page: /<dt>Grade<\/dt><dd>(?:<bdi>)?([^<]*)/.exec(page)?.[1],
    description: achievement.resultDescription[index],
    result: result[index],
  };
}

test("grades of assignment types are points on a scale of points, like the total", async () => {
  const value = {
    username: "exa-l",
    courseKey: GRADED,
    usageKey: "exam-1",
    assignmentType: "Exam",
    earned: 31,
    possible: 40,
  };
  const configurationId = await offered(
    "exa-l",
    { percent: 0.5 },
    {
      grading_scale: "points",
      grading_points: 20,
      text_elements: { extra: { text: "Result: {grade.exam}", y: 300 } },
    },
  );
  await academy.report({ case: "subsectionGrade", value });
  const { uuid } = await academy.issue("exa-l", { configurationId, skipEligibilityCheck: true });
  expect((await saidOf(uuid)).printed).toBe("15.5/20");
  const { verifyUuid } = await academy.credentials.getCredential({ uuid });
  const page = await (await fetch(`${academy.service.httpUrl}/verify/${verifyUuid}/?lang=en`)).text();
  expect(page).toMatch(
    /<dt>Grade <span class="second">(<bdi>)?exam(<\/bdi>)?<\/span><\/dt><dd>(<bdi>)?15.5\/20</,
  );
});

test.each([
  {
    scale: { grading_scale: "points", grading_points: 20 },
    grade: { percent: 0.775 },
    says: "15.5/20",
    badge: [{ resultType: "ScaledScore", valueMin: "0", valueMax: "20" }, { value: "15.5" }],
  },
  {
    scale: { grading_scale: "german" },
    grade: { percent: 0.9, letter: "1,3" },
    says: "1.3",
    badge: [
      { resultType: "ScaledScore", allowedValue: expect.arrayContaining(["5.0", "1.0"]) },
      { value: "1.3" },
    ],
  },
  {
    scale: { grading_scale: "italian" },
    grade: { letter: "30 e lode" },
    says: "30 e lode",
    badge: [
      { resultType: "ScaledScore", allowedValue: expect.arrayContaining(["18", "30L"]) },
      { value: "30L" },
    ],
  },
  {
    scale: { grading_scale: "letter" },
    grade: { percent: 0.9, letter: "B+" },
    says: "B+",
    badge: [{ resultType: "LetterGrade" }, { value: "B+" }],
  },
  {
    scale: { grading_scale: "pass_fail" },
    grade: { passed: true },
    says: "Passed",
    badge: [{ resultType: "Status" }, { status: "Completed" }],
  },
  { scale: { grading_scale: "german" }, grade: { percent: 0.9 }, says: "90%", badge: [undefined, undefined] },
])("a grade is $says on the scale $scale", async ({ scale, grade, says, badge: [description, result] }) => {
  const username = `learner-${offers}`;
  const configurationId = await offered(username, grade, scale as JsonObject);
  const { uuid } = await academy.issue(username, { configurationId, skipEligibilityCheck: true });
  const said = await saidOf(uuid);
  expect(said).toMatchObject({ printed: says, page: says });
  if (!description) return expect(said.description).toBeUndefined();
  expect([said.description, said.result]).toMatchObject([description, result]);
});

test.each([
  ["german", "2,0", "1,7", "2.3", "letter grade: 2.3, 2,0 required"],
  ["italian", "27", "30 e lode", "26/30", "letter grade: 26/30, 27 required"],
])("on the scale %s, %s is met by %s and not by %s", async (scale, required, better, worse, missing) => {
  const options = { grading_scale: scale, required_letter: required };
  const [good, bad] = [`good-${scale}`, `bad-${scale}`];
  const configurationId = await offered(good, { letter: better }, options);
  await offered(bad, { letter: worse }, options);
  const run = await academy.credentials.startIssuanceRun({
    configurationId,
    usernames: [good, bad],
    dryRun: true,
  });
  expect(run.plan?.issueCount).toBe(1);
  await expect(academy.issue(bad, { configurationId })).rejects.toThrow(missing);
  await academy.issue(good, { configurationId });
});

test("grades of a list are read on the scale, and one outside the scale is an error of its row", async () => {
  const german = await offered("ana-l", { percent: 0.5 }, { grading_scale: "german" });
  await offered("leo-l", { percent: 0.5 }, {});
  const started = await academy.credentials.startIssuanceRun({
    configurationId: german,
    usernames: ["ana-l", "leo-l"],
    skipEligibilityCheck: true,
    facts: [
      { username: "ana-l", letterGrade: "1,3" },
      { username: "leo-l", letterGrade: "7" },
    ],
  });
  expect(started.plan?.listedLearners).toMatchObject([
    { username: "ana-l", detail: "" },
    { username: "leo-l", detail: 'letter_grade is "7", which is not on the scale german (5.0 to 1.0).' },
  ]);
  const { credentials } = await academy.credentials.listCredentials({ configurationId: german });
  expect(await saidOf(credentials[0]?.uuid ?? "")).toMatchObject({ printed: "1.3", page: "1.3" });

  const points = await offered("mia-l", {}, { grading_scale: "points", grading_points: 30 });
  await academy.credentials.startIssuanceRun({
    configurationId: points,
    usernames: ["mia-l"],
    skipEligibilityCheck: true,
    facts: [{ username: "mia-l", letterGrade: "28/30" }],
  });
  const { credentials: ofPoints } = await academy.credentials.listCredentials({ configurationId: points });
  expect(await saidOf(ofPoints[0]?.uuid ?? "")).toMatchObject({ printed: "28/30", result: { value: "28" } });
});
