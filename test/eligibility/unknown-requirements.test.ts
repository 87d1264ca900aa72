import { beforeAll, expect, it } from "vitest";
import { WarningKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { COURSE, givenAcademy } from "../support/academy.js";

const academy = givenAcademy();
beforeAll(async () => {
  await academy.enrol("ana");
});

let types = 0;
const MISSPELT = `${COURSE}: a grade in "exm" is required, but no learner has one. The course's assignment types are "exam".`;

/** Offers a new type with these options, and returns the warnings in the response. */
async function offer(
  retrieval: "retrieve_subsection_grades" | "retrieve_completions" | "retrieve_completions_and_grades",
  customOptions: Record<string, never>,
  learningContextKey = COURSE,
) {
  return offerCredential(
    academy.configurations,
    learningContextKey,
    `Type ${++types}`,
    retrieval,
    customOptions,
  );
}

const grades = (required: Record<string, number>) =>
  ({ required_grades: required }) as unknown as Record<string, never>;

async function planned(configurationId: number): Promise<string[] | undefined> {
  const { plan } = await academy.credentials.startIssuanceRun({ configurationId, dryRun: true });
  return plan?.warnings;
}

it("a misspelt assignment type is reported when it is configured, and in the plan, with the existing ones", async () => {
  const misspelt = await offer("retrieve_subsection_grades", grades({ Exm: 0.5, Exam: 0.5, Total: 0.1 }));
  expect(misspelt.warnings).toEqual([MISSPELT]);
  expect(await planned(misspelt.id)).toEqual([MISSPELT]);
  const { plan } = await academy.credentials.startIssuanceRun({ configurationId: misspelt.id, dryRun: true });
  expect(plan?.explainedWarnings).toMatchObject([
    {
      kind: WarningKind.UNKNOWN_ASSIGNMENT_TYPE,
      text: MISSPELT,
      courseKey: COURSE,
      name: "exm",
      known: ["exam"],
    },
  ]);

  const { warnings } = await academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id: misspelt.id, customOptions: grades({ Exm: null as unknown as number }) },
  });
  expect(warnings).toEqual([]);
  expect(await planned(misspelt.id)).toEqual([]);
  expect((await academy.configurations.getCredentialConfiguration({ id: misspelt.id })).warnings).toEqual([]);
});

it("an assignment type of the policy without grades is reported in the plan only", async () => {
  const learningContextKey = "course-v1:Uni+EARLY+2026";
  const gradingPolicy = [{ assignmentType: "Lab", weight: 1 }];
  await academy.report({
    case: "course",
    value: { courseKey: learningContextKey, displayName: "Early", gradingPolicy },
  });
  const early = await offer("retrieve_completions_and_grades", grades({ Lab: 0.5 }), learningContextKey);
  expect(early.warnings).toEqual([]);
  expect(await planned(early.id)).toEqual([
    `${learningContextKey}: a grade in "lab" is required, but no learner has one yet.`,
    `${learningContextKey}: completion is required, but no learner has a completion record.`,
  ]);
});

it("a context without records causes no warning", async () => {
  const nowhere = await offer("retrieve_subsection_grades", grades({ Exm: 0.5 }), "course-v1:Uni+LATER+2026");
  expect(nowhere.warnings).toEqual([]);
});

it("withdrawn grades are ignored", async () => {
  const grade = {
    username: "ana",
    courseKey: COURSE,
    usageKey: "quiz",
    assignmentType: "Quiz",
    earned: 1,
    possible: 1,
  };
  await academy.report({ case: "subsectionGrade", value: grade });
  const quiz = await offer("retrieve_subsection_grades", grades({ Quiz: 0.5 }));
  expect([quiz.warnings, await planned(quiz.id)]).toEqual([[], []]);
  await academy.withdraw({ case: "subsectionGrade", value: grade });
  expect(await planned(quiz.id)).toEqual([expect.stringContaining('"quiz" is required')]);
});

it("each step of a path is checked", async () => {
  const pathKey = "path-v1:Uni+P+2026+A";
  await academy.report({
    case: "learningPath",
    value: { pathKey, displayName: "Path", stepCourseKeys: [COURSE, "course-v1:Uni+NONE+2026"] },
  });
  const path = await offer("retrieve_subsection_grades", grades({ Exm: 0.5 }), pathKey);
  expect(path.warnings).toEqual([MISSPELT]);
});
