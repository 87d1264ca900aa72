import { expect, onTestFinished, test } from "vitest";
import { findLearnersByEmail } from "#domain/learners/find-by-email.js";
import { findRecipients } from "#domain/learners/recipient.js";
import {
  EmailCorrectionFilter,
  LearnerRecordService,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { findEntries } from "#infrastructure/audit/audit-store.js";
import { givenAcademy } from "../support/academy.js";
import { refusal } from "../support/refusal.js";
import { boundedToken, startTestService, tokenOf } from "../support/service.js";

const academy = givenAcademy();
const REASON = "It bounced.";

async function registrar() {
  return academy.service.client(LearnerRecordService, await tokenOf({ username: "rita", isStaff: true }));
}

async function correct(
  username: string,
  email: string,
  more: { reason?: string; recordedEmail?: string } = {},
) {
  return (await registrar()).correctLearnerEmail({ username, email, reason: REASON, ...more });
}

const report = (username: string, email: string) =>
  academy.report({ case: "learner", value: { username, fullName: "Vera", email } });

async function known(username: string) {
  const { learner, emailCorrection } = await (await registrar()).getLearner({ username });
  return {
    email: learner?.email,
    recorded: emailCorrection?.recordedEmail,
    isUndecided: emailCorrection?.isUndecided,
  };
}

async function found(query: string, emailCorrection = EmailCorrectionFilter.UNSPECIFIED) {
  const { learners } = await (await registrar()).searchLearners({ query, emailCorrection });
  return learners.map(({ learner }) => learner?.username);
}

test("emails go to the corrected address, which is kept when the owner reports the same again", async () => {
  await report("ana", "bounce@uni.test");
  const answer = await correct("ana", "ana@uni.test");
  expect(answer.learner?.email).toBe("ana@uni.test");
  expect(answer.emailCorrection).toMatchObject({
    recordedEmail: "bounce@uni.test",
    reason: REASON,
    correctedBy: "rita",
    isUndecided: false,
  });
  await report("ana", "bounce@uni.test");
  expect(await known("ana")).toEqual({
    email: "ana@uni.test",
    recorded: "bounce@uni.test",
    isUndecided: false,
  });
  const recipients = await findRecipients(academy.service.app.database.knex, ["ana"]);
  expect(recipients.get("ana")?.address).toBe("ana@uni.test");
  expect(await found("ana@uni")).toEqual(["ana"]);
  expect(await found("bounce@")).toEqual(["ana"]);
});

test("imports find the corrected address, and the reported one if no other learner uses it", async () => {
  const usernamesOf = (email: string) => findLearnersByEmail(academy.service.app.database.knex, email);
  await report("hal", "Hal@old.test");
  await correct("hal", "Hal@uni.test");
  expect(await usernamesOf("hal@uni.test")).toEqual(["hal"]);
  expect(await usernamesOf("hal@old.test")).toEqual(["hal"]);
  await report("ida", "ida@uni.test");
  await correct("ida", "hal@old.test");
  expect(await usernamesOf("hal@old.test")).toEqual(["ida"]);
  await report("ivo", "hal@old.test");
  expect((await usernamesOf("hal@old.test")).sort()).toEqual(["ida", "ivo"]);
  await correct("hal", "HAL@old.test");
  await correct("ida", "");
  await correct("ivo", "ivo@uni.test");
  expect(await usernamesOf("hal@old.test")).toEqual(["hal"]);
});

test("another reported address needs a decision: the correction is kept, or withdrawn", async () => {
  for (const username of ["ben", "bob"]) {
    await report(username, `old-${username}@uni.test`);
    await correct(username, `${username}@uni.test`);
    await report(username, `new-${username}@uni.test`);
    expect(await known(username)).toMatchObject({ email: `${username}@uni.test`, isUndecided: true });
  }
  expect(await found("", EmailCorrectionFilter.UNDECIDED)).toEqual(["ben", "bob"]);
  const stale = correct("ben", "ben@uni.test", { recordedEmail: "old-ben@uni.test" });
  expect(await refusal(stale)).toMatch(/^Aborted: .*from "old-ben@uni.test" to "new-ben@uni.test"/);
  await correct("ben", "ben@uni.test", { recordedEmail: "new-ben@uni.test" });
  await correct("bob", "", { reason: "" });
  expect(await known("ben")).toMatchObject({ email: "ben@uni.test", isUndecided: false });
  expect(await known("bob")).toEqual({ email: "new-bob@uni.test" });
  expect(await found("", EmailCorrectionFilter.UNDECIDED)).toEqual([]);
  expect(await found("", EmailCorrectionFilter.ANY)).toContain("ben");
});

test("a correction ends when the owner reports it, and when the record is withdrawn", async () => {
  await report("cat", "old@uni.test");
  await correct("cat", "cat@uni.test");
  await report("cat", "cat@uni.test");
  expect(await known("cat")).toEqual({ email: "cat@uni.test" });
  await report("cat", "married@uni.test");
  expect(await known("cat")).toEqual({ email: "married@uni.test" });
  await correct("cat", "kate@uni.test");
  await academy.withdraw({ case: "learner", value: { username: "cat" } });
  await report("cat", "next@uni.test");
  expect(await known("cat")).toEqual({ email: "next@uni.test" });
  expect(await found("kate@")).toEqual([]);
});

test("a record without an address gets one, and a badge is issued to it", async () => {
  await academy.enrol("dan");
  await report("dan", "");
  await correct("dan", "dan@uni.test");
  expect(await known("dan")).toEqual({ email: "dan@uni.test", recorded: "", isUndecided: false });
  await correct("dan", "");
  expect(await known("dan")).toEqual({ email: "" });
});

test("it is moved to another username, and is erased with its learner", async () => {
  await academy.enrol("fay");
  await report("fay", "old-fay@uni.test");
  await correct("fay", "fayette@uni.test");
  const { uuid } = await academy.made("fay");
  await academy.credentials.invalidateCredential({ uuid, reason: "Sent to fayette@uni.test by mistake." });
  const platform = academy.service.client(
    LearnerRecordService,
    await tokenOf({ username: "lms", service: "write" }),
  );
  await platform.renameLearners({ renames: [{ username: "fay", newUsername: "faye" }] });
  expect(await known("faye")).toMatchObject({ email: "fayette@uni.test", recorded: "old-fay@uni.test" });
  await platform.eraseLearner({ username: "faye" });
  const { rows } = await academy.service.app.database.knex.raw(
    "select from learners where username in ('fay', 'faye')",
  );
  expect(rows).toEqual([]);
  const { invalidationReason } = await academy.credentials.getCredential({ uuid });
  expect(invalidationReason).not.toContain("fayette");
});

test("only registrars of all organisations correct addresses, and the audit trail says who did", async () => {
  await report("gus", "old-gus@uni.test");
  const service = await startTestService({
    beside: academy.service,
    settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
  });
  onTestFinished(() => service.stop());
  const request = { username: "gus", email: "gus@evil.test", reason: REASON };
  const bounded = service.client(LearnerRecordService, await boundedToken(service, ["Uni"]));
  expect(await refusal(bounded.correctLearnerEmail(request))).toMatch(/^PermissionDenied: /);
  for (const who of [{ username: "gus" }, { username: "lms", service: "read" as const }]) {
    const client = academy.service.client(LearnerRecordService, await tokenOf(who));
    expect(await refusal(client.correctLearnerEmail(request))).toMatch(/^PermissionDenied: /);
  }
  expect(await known("gus")).toEqual({ email: "old-gus@uni.test" });
  await correct("gus", "gus@uni.test");
  const written = () =>
    findEntries(
      academy.service.app.database.knex,
      { username: "gus", method: "CorrectLearnerEmail" },
      { afterId: 0, limit: 10 },
    );
  await expect
    .poll(async () => (await written()).map(({ caller, code }) => [caller.name, code]))
    .toContainEqual(["rita", "Ok"]);
});
