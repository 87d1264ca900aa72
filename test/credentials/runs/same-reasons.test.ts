import { beforeAll, expect, it } from "vitest";
import { issueWhenEarned } from "#domain/credentials/runs/issue-when-earned.js";
import { groupBy } from "#foundation/group-by.js";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
import type { Kind } from "../../support/records.js";
import { codeAndMessage } from "../../support/refusal.js";
import { tokenOf } from "../../support/service.js";
import { course, NO_GLYPH } from "./runs.js";

const academy = givenAcademy();
const staff = () => tokenOf({ username: "vera", isStaff: true });

/** Changes the records or credentials of an eligible learner. */
type Change = (username: string) => Promise<unknown>;

const reported =
  (kind: (username: string) => Kind): Change =>
  (username) =>
    academy.report(kind(username));
const learner = (more: object) =>
  reported((username) => ({
    case: "learner",
    value: { username, fullName: `Learner ${username}`, ...more },
  }));
const enrolment = (more: object) =>
  reported((username) => ({ case: "enrollment", value: { username, learningContextKey: COURSE, ...more } }));
const grade = (earned: number) => reported((username) => exam(username, earned));
const letter = reported((username) => ({
  case: "courseGrade",
  value: { username, courseKey: COURSE, letter: NO_GLYPH },
}));
const nameless = learner({ fullName: "" });
const generating: Change = (username) => academy.issue(username);
const available: Change = (username) => academy.made(username);
const failed: Change = async (username) => academy.fail((await academy.issue(username)).uuid);
const withdrawn: Change = async (username) => academy.invalidate((await academy.made(username)).uuid);
const corrected = (fullName: string): Change => {
  return async (username) => {
    const records = academy.service.client(LearnerRecordService, await staff());
    await records.correctLearnerName({ username, fullName, reason: "Misspelt." });
  };
};

/** What was reported about learners, and the reasons for which they get no credential. `READY`: they get one. */
const cases: readonly [what: string, changes: Change[], reason: keyof typeof SkipReason | "READY"][] = [
  ["earned", [], "READY"],
  ["too few points", [grade(7)], "NOT_ELIGIBLE"],
  ["withdrawn grade", [(username) => academy.withdraw(exam(username, 9))], "NOT_ELIGIBLE"],
  ["too few points since a withdrawal", [withdrawn, grade(7)], "NOT_ELIGIBLE"],
  ["inactive enrolment", [enrolment({ isActive: false })], "NOT_ELIGIBLE"],
  ["generating credential", [generating], "HAS_CREDENTIAL"],
  ["available credential", [available], "HAS_CREDENTIAL"],
  ["failed credential", [failed], "READY"],
  ["failed credential without a name", [failed, nameless], "NO_FULL_NAME"],
  ["withdrawn credential", [withdrawn], "WITHDRAWN"],
  ["withdrawn credential without a name", [withdrawn, nameless], "WITHDRAWN"],
  ["empty name", [nameless], "NO_FULL_NAME"],
  ["name of spaces", [learner({ fullName: " \u00a0\u3000" })], "NO_FULL_NAME"],
  ["invisible name", [learner({ fullName: "\u{FDD0}\u200b\u3164\u{E0041}" })], "NO_FULL_NAME"],
  ["empty name, corrected", [nameless, corrected("Corrected")], "READY"],
  ["unprintable name", [learner({ fullName: NO_GLYPH })], "UNPRINTABLE_NAME"],
  ["unprintable name, corrected", [learner({ fullName: NO_GLYPH }), corrected("Corrected")], "READY"],
  ["unprintable correction", [corrected(NO_GLYPH)], "UNPRINTABLE_NAME"],
  ["unprintable ID", [learner({ learnerId: NO_GLYPH })], "UNPRINTABLE_NAME"],
  ["unprintable attribute", [learner({ attributes: { programme: NO_GLYPH } })], "UNPRINTABLE_NAME"],
  ["attribute that isn't printed", [learner({ attributes: { birthplace: NO_GLYPH } })], "READY"],
  ["unprintable enrolment", [enrolment({ attributes: { thesis: NO_GLYPH } })], "UNPRINTABLE_NAME"],
  ["unprintable letter", [letter], "UNPRINTABLE_NAME"],
];
const TEXT = "{learner_id} {learner.programme} {enrollment.thesis} {letter_grade}";
const OPTIONS = { text_elements: { facts: { text: TEXT, y: 400 } } };

beforeAll(async () => {
  await academy.configure(OPTIONS);
  await academy.enrol(...cases.map(([username]) => username));
  for (const [username, changes] of cases) for (const change of changes) await change(username);
});

const wordOf = (reason: SkipReason) => (reason === SkipReason.UNSPECIFIED ? "READY" : SkipReason[reason]);

/** Returns the reasons that the list of learners without a credential shows. */
async function listAbsent() {
  const client = academy.service.client(EligibilityService, await staff());
  const { configurationId } = academy;
  const { learners } = await client.listLearnersWithoutCredential({ configurationId, pageSize: 1000 });
  return learners.map(({ username, reason }) => [username, wordOf(reason)]);
}

async function planFor(usernames: string[] = []) {
  const { configurationId, credentials } = academy;
  const { plan } = await credentials.startIssuanceRun({ configurationId, usernames, dryRun: true });
  if (!plan) throw new Error("there is no plan");
  return plan;
}

const expected = cases.map(([username, , reason]) => [username, reason] as const);
const withoutCredential = expected.filter(
  ([username, reason]) => reason !== "HAS_CREDENTIAL" && username !== "inactive enrolment",
);
const sorted = <T extends readonly (readonly string[])[]>(rows: T) =>
  rows.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));

it("the list of learners without a credential gives these reasons", async () => {
  expect(await listAbsent()).toEqual(sorted(withoutCredential));
});

it("the plan of a run for a list of learners gives these reasons", async () => {
  const { listedLearners } = await planFor(expected.map(([username]) => username));
  expect(listedLearners.map(({ username, reason }) => [username, wordOf(reason)])).toEqual(expected);
});

it("the plan of a run for all gives these reasons", async () => {
  const { learners, skippedLearners, skipped } = await planFor();
  const shown = [
    ...learners.map(({ username }) => [username, "READY"]),
    ...skippedLearners.map(({ username, reason }) => [username, wordOf(reason)]),
  ];
  const isShown = (reason: string) => ["READY", "NO_FULL_NAME", "UNPRINTABLE_NAME"].includes(reason);
  expect(sorted(shown)).toEqual(sorted(expected.filter(([, reason]) => isShown(reason))));
  const counts = groupBy(expected, ([, reason]) => reason);
  for (const uncounted of ["READY", "NOT_ELIGIBLE"] as const) counts.delete(uncounted); // the plan considers only eligible learners
  expect(new Map(skipped.map(({ reason, count }) => [wordOf(reason), count]))).toEqual(
    new Map([...counts].map(([reason, rows]) => [reason, rows.length])),
  );
});

it("where credentials must be claimed, the list and the plan skip those who have none", async () => {
  const setClaim = (claim: ClaimMode) =>
    academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: academy.configurationId, claim },
      updateMask: { paths: ["claim"] },
    });
  await setClaim(ClaimMode.REQUIRED);
  const absent = await listAbsent();
  const plan = await planFor();
  await setClaim(ClaimMode.NEVER);
  const isKept = ([username, reason]: readonly [string, string]) =>
    username.startsWith("failed") || ["NOT_ELIGIBLE", "WITHDRAWN"].includes(reason);
  const claimed = withoutCredential.map((row) => (isKept(row) ? row : [row[0], "NOT_CLAIMED"]));
  expect(absent).toEqual(sorted(claimed));
  expect(plan.learners.map(({ username }) => username)).toEqual(["failed credential"]);
  expect(plan.skipped.find(({ reason }) => reason === SkipReason.NOT_CLAIMED)?.count).toBe(
    claimed.filter(([, reason]) => reason === "NOT_CLAIMED").length,
  );
});

it("automatic issuing, and then a run, issue to exactly these learners", async () => {
  const { app } = academy.service;
  const holders = async () => {
    const rows = await app.database.knex("credentials").whereIn("status", ["generating", "available"]);
    return rows.map(({ username }) => username).sort();
  };
  const ready = (reasons: string[]) =>
    expected.flatMap(([username, reason]) => (reasons.includes(reason) ? [username] : [])).sort();
  await academy.configure({ ...OPTIONS, issue_when_earned: true });
  const { signal } = new AbortController();
  await issueWhenEarned({ ...app, settings: app.config }, signal);
  const expectedHolders = ready(["READY", "HAS_CREDENTIAL"]);
  // Only runs issue to learners whose credential failed.
  expect(await holders()).toEqual(expectedHolders.filter((username) => username !== "failed credential"));
  await academy.credentials.startIssuanceRun({ configurationId: academy.configurationId });
  expect(await holders()).toEqual(expectedHolders);
});

it("the list and the plan are refused if the course's name can't be printed", async () => {
  await academy.report(course(COURSE, NO_GLYPH));
  await academy.enrol("another");
  const refused = await codeAndMessage(planFor());
  expect(refused).toEqual(["FailedPrecondition", expect.stringContaining("the learning context name")]);
  expect(await codeAndMessage(listAbsent())).toEqual(refused);
});
