import { describe, expect, onTestFinished, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import {
  LearnerRecordService,
  NameCorrectionFilter,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { givenAcademy } from "../support/academy.js";
import { refusal } from "../support/refusal.js";
import { boundedToken, startTestService, tokenOf } from "../support/service.js";

const academy = givenAcademy();
const REPORTED = "Learner ";
const REASON = "A letter was missing.";

async function registrar() {
  const token = await tokenOf({ username: "rita", isStaff: true });
  return academy.service.client(LearnerRecordService, token);
}

async function correct(
  username: string,
  fullName: string,
  more: { reason?: string; recordedName?: string } = {},
) {
  return (await registrar()).correctLearnerName({ username, fullName, reason: REASON, ...more });
}

const report = (username: string, fullName: string) =>
  academy.report({ case: "learner", value: { username, fullName } });

async function known(username: string) {
  const { learner, nameCorrection } = await (await registrar()).getLearner({ username });
  return {
    name: learner?.fullName,
    told: nameCorrection?.recordedName,
    isUndecided: nameCorrection?.isUndecided,
  };
}

async function found(query: string, nameCorrection = NameCorrectionFilter.UNSPECIFIED) {
  const { learners } = await (await registrar()).searchLearners({ query, nameCorrection });
  return learners.map(({ learner }) => learner?.username);
}

const issue = (username: string) => academy.issue(username);

async function available(username: string) {
  await academy.enrol(username);
  const { uuid } = await issue(username);
  await academy.generate(uuid);
  return uuid;
}

describe("a registrar's correction of a name", () => {
  test("is printed and found, is kept when the owner reports the same again, and says who made it and why", async () => {
    await academy.enrol("ana");
    const answer = await correct("ana", "  Ana \u202eKovač  ");
    expect(answer.learner?.fullName).toBe("Ana Kovač");
    expect(answer.nameCorrection).toMatchObject({
      recordedName: `${REPORTED}ana`,
      reason: REASON,
      correctedBy: "rita",
      isUndecided: false,
    });
    await report("ana", `${REPORTED}ana`);
    await academy.enrol("ana");
    expect(await known("ana")).toEqual({ name: "Ana Kovač", told: `${REPORTED}ana`, isUndecided: false });
    expect(await found("kova")).toContain("ana");
    expect(await found("learner ana")).toContain("ana");
    expect((await issue("ana")).userFullName).toBe("Ana Kovač");
    await academy.enrol("abe");
    await correct("abe", "Abraham");
    const { plan } = await academy.credentials.startIssuanceRun({
      configurationId: academy.configurationId,
      dryRun: true,
    });
    expect(plan?.samples.map(({ fullName }) => fullName)).toContain("Abraham");
  });

  test("needs a decision when the owner reports another name: it is kept by confirming it, or withdrawn", async () => {
    await academy.enrol("ben", "bob");
    for (const username of ["ben", "bob"]) {
      await correct(username, "Benjamin Jones");
      await report(username, "Benny Jones");
      expect(await known(username)).toEqual({
        name: "Benjamin Jones",
        told: "Benny Jones",
        isUndecided: true,
      });
    }
    expect(await found("", NameCorrectionFilter.UNDECIDED)).toEqual(["ben", "bob"]);
    const stale = correct("ben", "Benjamin Jones", { recordedName: `${REPORTED}ben` });
    expect(await refusal(stale)).toMatch(/^Aborted: .*from "Learner ben" to "Benny Jones"/);
    await correct("ben", "Benjamin Jones", { recordedName: "Benny Jones" });
    await correct("bob", "", { reason: "" });
    expect(await known("ben")).toEqual({ name: "Benjamin Jones", told: "Benny Jones", isUndecided: false });
    expect(await known("bob")).toEqual({ name: "Benny Jones" });
    expect(await found("", NameCorrectionFilter.UNDECIDED)).toEqual([]);
    expect(await found("jones", NameCorrectionFilter.ANY)).toEqual(["ben"]);
  });

  test("ends when the owner reports it, so that later changes apply, and when the record is withdrawn", async () => {
    await academy.enrol("cat");
    await correct("cat", "Catherine");
    await report("cat", "Catherine");
    expect(await known("cat")).toEqual({ name: "Catherine" });
    await report("cat", "Catherine Married");
    expect(await known("cat")).toEqual({ name: "Catherine Married" });
    await correct("cat", "Kate");
    await academy.withdraw({ case: "learner", value: { username: "cat" } });
    await report("cat", "Somebody Else");
    expect(await known("cat")).toEqual({ name: "Somebody Else" });
    expect(await found("kate")).toEqual([]);
  });

  test("gives a nameless record a name, and can be withdrawn", async () => {
    await academy.enrol("dan");
    await report("dan", "");
    await correct("dan", "Daniel");
    expect((await issue("dan")).userFullName).toBe("Daniel");
    await correct("dan", "");
    expect(await known("dan")).toEqual({ name: "" });
  });

  test("is saved with a reissue, or not at all", async () => {
    const uuid = await available("eve");
    const reissue = (correctedFullName: string) =>
      academy.credentials.reissueCredential({ uuid, reason: "Misspelt.", correctedFullName });
    expect(await refusal(reissue("\u{1f7e3}\u{10fffd}"))).toMatch(/^FailedPrecondition: /);
    expect(await known("eve")).toEqual({ name: `${REPORTED}eve` });
    const successor = await reissue("Evelyn");
    expect(successor).toMatchObject({ replacesUuid: uuid, userFullName: "Evelyn" });
    expect(await reissue("Evelyn")).toMatchObject({ uuid: successor.uuid });
    expect(await reissue("")).toMatchObject({ uuid: successor.uuid });
    expect(await refusal(reissue("Eva"))).toMatch(/^FailedPrecondition: .* with the name "Evelyn"/);
    expect(await known("eve")).toEqual({ name: "Evelyn", told: `${REPORTED}eve`, isUndecided: false });
  });

  test("continues under another username, and is erased with its learner", async () => {
    await academy.enrol("fay");
    await correct("fay", "Fayette");
    const platform = academy.service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await platform.renameLearners({ renames: [{ username: "fay", newUsername: "faye" }] });
    expect(await known("faye")).toMatchObject({ name: "Fayette", told: `${REPORTED}fay` });
    expect(await found("fayette")).toEqual(["faye"]);
    await platform.eraseLearner({ username: "faye" });
    const { rows } = await academy.service.app.database.knex.raw(
      "select from learners where username in ('fay', 'faye')",
    );
    expect(rows).toEqual([]);
  });

  test("is refused to staff limited to an organisation, because names apply in all of them", async () => {
    const uuid = await available("gus");
    const service = await startTestService({
      beside: academy.service,
      settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
    });
    onTestFinished(() => service.stop());
    const token = await boundedToken(service, ["Uni"]);
    const request = { username: "gus", fullName: "Gustav", reason: REASON };
    const correcting = service.client(LearnerRecordService, token).correctLearnerName(request);
    expect(await refusal(correcting)).toMatch(/^PermissionDenied: /);
    const credentials = service.client(CredentialService, token);
    const reissuing = credentials.reissueCredential({ uuid, reason: REASON, correctedFullName: "Gustav" });
    expect(await refusal(reissuing)).toMatch(
      /^PermissionDenied: All organisations share the learners' names/,
    );
    expect(await credentials.reissueCredential({ uuid, reason: REASON })).toMatchObject({
      replacesUuid: uuid,
    });
  });
});

test("learners created by a list are found by name", async () => {
  await academy.credentials.startIssuanceRun({
    configurationId: academy.configurationId,
    newLearners: [{ username: "1001", fullName: "Jeanne d'Ormesson", email: "" }],
    skipEligibilityCheck: true,
  });
  expect(await found("jeanne orm")).toEqual(["1001"]);
});
