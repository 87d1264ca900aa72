import { setTimeout as sleep } from "node:timers/promises";
import { create, toJson } from "@bufbuild/protobuf";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Credential,
  CredentialSchema,
  CredentialStatus,
} from "#gen/learning_credentials/v1/credential_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";
import { codeAndMessage as refusal } from "../../support/refusal.js";

const academy = givenAcademy();
let configurationId: number;
beforeAll(async () => {
  configurationId = academy.configurationId;
});
beforeEach(() => academy.service.app.database.knex.raw("delete from jobs"));

const issue50 = (username: string) => Promise.all(Array.from({ length: 50 }, () => academy.issue(username)));

function rows(username: string): Promise<Record<string, unknown>[]> {
  return academy.service.app.database.knex("credentials").where({ username }).orderBy("id");
}

const asJson = (credential: Credential) => JSON.stringify(toJson(CredentialSchema, credential));

describe("a learner who is not eligible", () => {
  it.each<[what: string, report: () => Promise<void>, missing: string]>([
    [
      "attempted nothing",
      () => academy.withdraw(exam("ineligible", 0)),
      "exam: not attempted, 65 % required; total: 0 of 80 %",
    ],
    [
      "has too little of both",
      () => academy.report(exam("ineligible", 6)),
      "exam: 60 of 65 %; total: 60 of 80 %",
    ],
    ["lacks the total only", () => academy.report(exam("ineligible", 7.5)), "total: 75 of 80 %"],
    [
      "is not enrolled any more",
      () => academy.report(enrolled("ineligible", COURSE, false)),
      "an active enrolment in the course",
    ],
  ])("who %s is refused with the missing results, and nothing is stored", async (_, report, missing) => {
    await academy.enrol("ineligible");
    await report();
    expect(await refusal(academy.issue("ineligible"))).toEqual([
      "FailedPrecondition",
      `Learner ineligible is not eligible for "Certificate" in ${COURSE}. Missing: ${missing}.`,
    ]);
    expect([await rows("ineligible"), await academy.jobs()]).toEqual([[], []]);
  });

  it("is issued the credential nevertheless if the check is skipped", async () => {
    await academy.report({ case: "learner", value: { username: "honorary", fullName: "Dr. h. c." } });
    const credential = await academy.issue("honorary", { skipEligibilityCheck: true });
    expect(credential).toMatchObject({ status: CredentialStatus.GENERATING, userFullName: "Dr. h. c." });
    expect(await academy.jobs()).toEqual([await academy.idOf(credential.uuid)]);
  });
});

describe("a credential that can't be issued", () => {
  it.each([false, true])("is refused, with the check skipped: %s", async (skipEligibilityCheck) => {
    const withCheck = { skipEligibilityCheck };
    const name = `unissuable ${skipEligibilityCheck}`;
    await academy.enrol(name);
    expect(await refusal(academy.issue(name, { ...withCheck, configurationId: 9999 }))).toEqual([
      "NotFound",
      "There is no credential configuration 9999.",
    ]);
    expect(await refusal(academy.issue(name, { ...withCheck, configurationId: 0 }))).toEqual([
      "InvalidArgument",
      "configuration_id is 0; it must be at least 1.",
    ]);
    expect(await refusal(academy.issue("stranger", withCheck))).toEqual([
      "NotFound",
      'There is no learner named "stranger".',
    ]);
    for (const fullName of ["", " ", "\u00a0\u2003"]) {
      await academy.report({ case: "learner", value: { username: name, fullName } });
      expect(await refusal(academy.issue(name, withCheck))).toEqual([
        "FailedPrecondition",
        `Learner ${name} has no full name: send a record that contains it.`,
      ]);
    }
    await academy.withdraw({ case: "learner", value: { username: name } });
    expect((await refusal(academy.issue(name, withCheck)))[0]).toBe("NotFound");
    expect([await rows(name), await academy.jobs()]).toEqual([[], []]);
  });

  it("includes a credential for a context without a record, even if the check is skipped", async () => {
    await academy.enrol("early");
    const { credentialTypeId } = await academy.configurations.getCredentialConfiguration({
      id: configurationId,
    });
    const { id } = await academy.configurations.createCredentialConfiguration({
      credentialConfiguration: { learningContextKey: "course-v1:Uni+Unknown+1", credentialTypeId },
    });
    expect(
      await refusal(academy.issue("early", { configurationId: id, skipEligibilityCheck: true })),
    ).toEqual([
      "FailedPrecondition",
      "course-v1:Uni+Unknown+1 has no record: send one that contains its name, which is printed.",
    ]);
  });
});

describe("a character that no font has", () => {
  const courseKey = "course-v1:Uni+Glyphs+1";

  it.each([
    ["Ana \u{10FFFD}", "Course One", "Certificate of a", "the learner's full name"],
    ["Ana Kovač", "Course \u{10FFFD}", "Certificate of b", "the learning context name"],
    ["Ana Kovač", "Course One", "Certificate of \u{10FFFD}", "the credential type"],
  ])("in %j, %j or %j is named, and nothing is issued", async (fullName, displayName, typeName, where) => {
    await academy.report(
      { case: "learner", value: { username: "glyphs", fullName } },
      { case: "course", value: { courseKey, displayName } },
    );
    const { id } = await offerCredential(
      academy.configurations,
      courseKey,
      typeName,
      "retrieve_subsection_grades",
      { required_grades: { Exam: 0.65 } },
    );
    expect(
      await refusal(academy.issue("glyphs", { configurationId: id, skipEligibilityCheck: true })),
    ).toEqual([
      "FailedPrecondition",
      expect.stringContaining(`No font can print "\u{10FFFD}" (U+10FFFD), which ${where} contains.`),
    ]);
    expect([await rows("glyphs"), await academy.jobs()]).toEqual([[], []]);
  });
});

describe("issuing again", () => {
  it("returns the generating or available credential, even if the learner would be refused now", async () => {
    await academy.enrol("again");
    const first = await academy.issue("again");
    const id = await academy.idOf(first.uuid);
    expect(asJson(await academy.issue("again"))).toBe(asJson(first));
    await academy.generate(id);
    await academy.report(exam("again", 0), { case: "learner", value: { username: "again", fullName: "" } });
    const second = await academy.issue("again");
    expect(second).toMatchObject({ status: CredentialStatus.AVAILABLE, verifyUuid: first.verifyUuid });
    expect(await academy.jobs()).toEqual([id]);
  });

  it("retries a failed one from the current facts, under the same identifiers", async () => {
    await academy.enrol("retried");
    const first = await academy.issue("retried");
    await academy.fail(first.uuid);
    await academy.report({ case: "learner", value: { username: "retried", fullName: "Married Name" } });
    await sleep(1000); // `created` is in whole seconds
    const second = await academy.issue("retried");
    expect(second).toMatchObject({
      uuid: first.uuid,
      verifyUuid: first.verifyUuid,
      status: CredentialStatus.GENERATING,
      userFullName: "Married Name",
      errorReason: "",
    });
    expect(Number(second.createTime?.seconds)).toBeGreaterThan(Number(first.createTime?.seconds));
    expect(await academy.jobs()).toEqual([await academy.idOf(first.uuid)]);
  });

  it("retries a failed one only for learners who are still eligible", async () => {
    await academy.enrol("failing");
    const { uuid } = await academy.issue("failing");
    await academy.fail(uuid);
    await academy.report(exam("failing", 1));
    expect((await refusal(academy.issue("failing")))[0]).toBe("FailedPrecondition");
    expect(await rows("failing")).toMatchObject([{ status: "error", error_reason: "It failed." }]);
  });

  it("creates a new one after invalidation", async () => {
    await academy.enrol("invalidated");
    const first = await academy.issue("invalidated");
    await academy.invalidate(first.uuid);
    const second = await academy.issue("invalidated");
    expect(second.uuid).not.toBe(first.uuid);
    expect(second.verifyUuid).not.toBe(first.verifyUuid);
    expect(await rows("invalidated")).toMatchObject([{ status: "invalidated" }, { status: "generating" }]);
  });
});

describe("fifty simultaneous calls", () => {
  it("get one credential, with one job and 50 equal responses", async () => {
    await academy.enrol("popular");
    const answers = await issue50("popular");
    expect(new Set(answers.map(asJson)).size).toBe(1);
    expect(await rows("popular")).toHaveLength(1);
    const id = await academy.idOf(answers[0]?.uuid ?? "");
    expect(await academy.jobs()).toEqual([id]);
    await academy.generate(id);
    expect(await academy.filesOf(answers[0]?.uuid ?? "")).toHaveLength(1);
  });

  it("to retry a failed one get the same", async () => {
    await academy.enrol("unlucky");
    const { uuid, verifyUuid } = await academy.issue("unlucky");
    await academy.fail(uuid);
    const answers = await issue50("unlucky");
    expect(new Set(answers.map(asJson)).size).toBe(1);
    expect(answers[0]).toMatchObject({ uuid, verifyUuid, status: CredentialStatus.GENERATING });
    expect(await rows("unlucky")).toHaveLength(1);
    expect(await academy.jobs()).toEqual([await academy.idOf(uuid)]);
  });
});

it("leaves neither row nor job if its caller stops waiting halfway", async () => {
  await academy.enrol("impatient");
  const { knex } = academy.service.app.database;
  const locked = await knex.transaction();
  await locked.raw("lock table jobs in exclusive mode");
  const call = academy.credentials.issueCredential(
    { configurationId, username: "impatient" },
    { timeoutMs: 300 },
  );
  expect((await refusal(call))[0]).toBe("DeadlineExceeded");
  // The caller's deadline expires some milliseconds before the service's.
  await expect.poll(() => knex.client.pool.numUsed()).toBe(1);
  await locked.rollback();
  await expect.poll(() => knex.client.pool.numUsed()).toBe(0);
  expect([await rows("impatient"), await academy.jobs()]).toEqual([[], []]);
});

it("fixes the credential's contents: later changes of records and types do not alter it", async () => {
  await academy.enrol("fixed");
  const issued = await academy.issue("fixed");
  const [before] = await rows("fixed");
  const { credentialTypeId } = await academy.configurations.getCredentialConfiguration({
    id: configurationId,
  });
  const type = await academy.configurations.getCredentialType({ id: credentialTypeId });
  await academy.report(
    { case: "learner", value: { username: "fixed", fullName: "Another Name" } },
    { case: "course", value: { courseKey: COURSE, displayName: "Another Course" } },
  );
  await academy.configurations.updateCredentialType({
    credentialType: { ...type, name: "Another Certificate" },
    updateMask: { paths: ["name"] },
  });
  // Both names find the credential.
  expect(await rows("fixed")).toEqual([{ ...before, search_words: "'another' 'fixed' 'learner' 'name'" }]);
  expect(asJson(await academy.issue("fixed"))).toBe(asJson(issued));
  expect(create(CredentialSchema, issued)).toMatchObject({
    userFullName: "Learner fixed",
    learningContextName: "Course One",
    credentialType: "Certificate",
  });
});
