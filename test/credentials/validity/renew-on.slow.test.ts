import { Code, type ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { type Academy, COURSE, exam, openAcademy } from "../../support/academy.js";
import { completed, enrolled } from "../../support/records.js";
import { startTestService, tokenOf } from "../../support/service.js";

let academy: Academy;

beforeEach(async () => {
  academy = await openAcademy();
  await configure({});
});
afterEach(() => academy.service.stop());

const configure = (customOptions: Record<string, string | object>) =>
  academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: {
      id: academy.configurationId,
      customOptions: { validity: "P1Y", renewal_window: "P30D", renew_on: "new_record", ...customOptions },
    },
  });

/** Makes all existing data a year older, and makes the credential expire after this interval. */
const expireIn = ({ uuid }: { uuid: string }, by: string) =>
  academy.service.app.database.knex.raw(
    `with graded as (update subsection_grades set observed_at = observed_at - interval '1 year'),
       completed as (update completions set observed_at = observed_at - interval '1 year'),
       issued as (
         update credentials set created_at = created_at - interval '1 year', awarded_at = awarded_at - interval '1 year'
         where uuid <> :uuid
       )
     update credentials set created_at = created_at - interval '1 year', awarded_at = awarded_at - interval '1 year',
       valid_until = now() + cast(:by as interval) where uuid = :uuid`,
    { by, uuid },
  );

/** Imports a result that was observed in the same second in which the credential was issued. */
const late = (username: string, earned: number) =>
  academy.service.app.database.knex.raw(
    `update subsection_grades set earned = :earned, observed_at = created_at + interval '0.9 seconds'
     from credentials where credentials.username = subsection_grades.username and credentials.username = :username`,
    { username, earned },
  );

const startRun = (options: { dryRun?: boolean } = {}) =>
  academy.credentials.startIssuanceRun({ configurationId: academy.configurationId, ...options });

const replacedOf = async (username: string) =>
  (await academy.credentials.listCredentials({ username })).credentials.map(
    ({ replacesUuid }) => replacesUuid,
  );

const grade = (username: string, usageKey: string, earned: number) => {
  const { case: kind, value } = exam(username, earned) as Extract<
    ReturnType<typeof exam>,
    { case: "subsectionGrade" }
  >;
  return { case: kind, value: { ...value, usageKey } };
};

describe("an issuance run that renews on new records", () => {
  test("skips learners whose records are unchanged, and says so in plan, report and list", async () => {
    await academy.enrol("ana", "ben", "cat");
    await academy.made("cat"); // its renewal window has not started
    const issued = [await academy.made("ana"), await academy.made("ben")];
    for (const credential of issued) await expireIn(credential, "29 days");
    await academy.report(exam("ben", 9)); // the same result is observed again

    const { plan } = await startRun({ dryRun: true });
    const skipped = [
      { reason: SkipReason.HAS_CREDENTIAL, count: 1 },
      { reason: SkipReason.NOT_EARNED_ANEW, count: 1 },
    ];
    expect(plan).toMatchObject({ issueCount: 1, usernames: ["ben"], skipped });
    const listed = await academy.credentials.startIssuanceRun({
      configurationId: academy.configurationId,
      usernames: ["ana", "ben", "cat"],
      dryRun: true,
    });
    expect(listed.plan?.listedLearners).toMatchObject([
      { isReady: false, reason: SkipReason.NOT_EARNED_ANEW, detail: /requires results observed after/ },
      { isReady: true },
      { isReady: false, reason: SkipReason.HAS_CREDENTIAL },
    ]);

    const { run } = await startRun();
    expect(run).toMatchObject({ issuedCount: 1, skipped });
    expect(await replacedOf("ana")).toEqual([""]);
    expect(await replacedOf("ben")).toHaveLength(2);
  });

  test("renews once after each new result, even if the first renewal expires, too", async () => {
    await academy.enrol("ana");
    const first = await academy.made("ana");
    await expireIn(first, "-1 day");
    expect((await startRun()).plan).toMatchObject({ issueCount: 0 });
    await academy.report(exam("ana", 10));
    expect((await startRun()).plan).toMatchObject({ issueCount: 1 });
    const [, second] = (await academy.credentials.listCredentials({ username: "ana" })).credentials;
    await academy.generate(second?.uuid ?? "");
    await expireIn(second ?? { uuid: "" }, "-1 hour");
    expect((await startRun()).plan).toMatchObject({ issueCount: 0 });
    await academy.report(exam("ana", 9));
    expect((await startRun()).plan).toMatchObject({ issueCount: 1 });
    expect(await replacedOf("ana")).toEqual(["", first.uuid, second?.uuid]);
  });

  test("treats results from before the issue as not attained", async () => {
    await academy.enrol("ana");
    await academy.report(grade("ana", "second", 9));
    await expireIn(await academy.made("ana"), "1 day");
    await academy.report(grade("ana", "second", 10)); // 50 % of both exams, as before
    expect((await startRun()).plan).toMatchObject({ issueCount: 0 });
    await academy.report(exam("ana", 7)); // 85 %
    expect((await startRun()).plan).toMatchObject({ issueCount: 1 });
  });

  test("treats a result that was reported late by its own time, before the issue", async () => {
    await academy.enrol("ana");
    const old = await academy.made("ana");
    await expireIn(old, "1 day");
    await late("ana", 10);
    expect((await startRun()).plan).toMatchObject({ issueCount: 0 });
    // A reissued credential counts as earned when the original was earned, so later results are new.
    await academy.report(exam("ana", 8));
    const reissued = await academy.credentials.reissueCredential({ uuid: old.uuid, reason: "A misprint." });
    await academy.generate(reissued.uuid);
    expect((await startRun()).plan).toMatchObject({ issueCount: 1 });
  });

  test("requires it of completion, of the platform's total, and of each step of a learning path", async () => {
    const [path, other] = ["path-v1:Uni+P+1+A", "course-v1:Uni+C2+2026"];
    const completion = (courseKey: string, percent: number) => completed("ana", courseKey, percent);
    await academy.enrol("ana");
    await academy.report(
      { case: "course", value: { courseKey: other, displayName: "Course Two" } },
      {
        case: "learningPath",
        value: { pathKey: path, displayName: "Path", stepCourseKeys: [COURSE, other] },
      },
      enrolled("ana", path),
      enrolled("ana", other),
      completion(COURSE, 1),
      completion(other, 1),
    );
    const { id } = await offerCredential(academy.configurations, path, "Path", "retrieve_completions", {
      required_completion: 0.9,
      validity: "P1Y",
      renewal_window: "P0D",
      renew_on: "new_record",
    });
    const run = () => academy.credentials.startIssuanceRun({ configurationId: id });
    expect((await run()).plan).toMatchObject({ issueCount: 1 });
    const [old] = (await academy.credentials.listCredentials({ username: "ana" })).credentials;
    await academy.generate(old?.uuid ?? "");
    await expireIn(old ?? { uuid: "" }, "-1 hour");
    await academy.report(completion(COURSE, 0.1), completion(other, 0.1)); // the learner starts again
    await academy.report(completion(COURSE, 1));
    expect((await run()).plan).toMatchObject({ issueCount: 0 });
    await academy.report(completion(other, 1));
    expect((await run()).plan).toMatchObject({ issueCount: 1 });
  });

  test("still renews on eligibility without the option", async () => {
    await configure({ renew_on: "eligible" });
    await academy.enrol("ana");
    await expireIn(await academy.made("ana"), "1 day");
    expect((await startRun()).plan).toMatchObject({ issueCount: 1 });
  });
});

describe("issuing again", () => {
  test("returns the credential while it is valid, and refuses once it has expired", async () => {
    await academy.enrol("ana");
    const old = await academy.made("ana");
    await expireIn(old, "1 day");
    expect((await academy.issue("ana")).uuid).toBe(old.uuid);
    await expireIn(old, "-1 hour");
    const refusal: ConnectError = await academy.issue("ana").then(
      () => expect.unreachable("it was renewed"),
      (error) => error,
    );
    expect(refusal).toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: expect.stringMatching(
        new RegExp(`^Credential ${old.uuid} .*observed after 20.*skip_eligibility_check`),
      ),
    });
    expect(refusal.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: "NOT_EARNED_ANEW", metadata: { username: "ana" } },
    ]);
    expect(await replacedOf("ana")).toEqual([""]);

    await academy.report(exam("ana", 10));
    expect((await academy.issue("ana")).replacesUuid).toBe(old.uuid);
  });

  test("renews without new results if staff skip the check", async () => {
    await academy.enrol("ana");
    const old = await academy.made("ana");
    await expireIn(old, "-1 hour");
    expect((await academy.issue("ana", { skipEligibilityCheck: true })).replacesUuid).toBe(old.uuid);
  });

  test("in two processes, beside their runs, renews for each eligible learner once", {
    timeout: 120_000,
  }, async () => {
    const usernames = Array.from({ length: 12 }, (_, index) => `l${index}`);
    await academy.enrol(...usernames);
    const issued = [];
    for (const username of usernames) issued.push(await academy.made(username));
    for (const credential of issued) await expireIn(credential, "-1 hour");
    const earned = usernames.filter((_, index) => index % 2 === 0);
    await academy.report(...earned.map((username) => exam(username, 10)));

    const beside = await startTestService({ beside: academy.service });
    const { issuer, audience } = beside.app.config.auth;
    const staff = await tokenOf({ username: "registrar", isStaff: true, issuer, audience });
    const other = beside.client(CredentialService, staff);
    const { configurationId } = academy;
    const clients = [academy.credentials, other];
    await Promise.allSettled([
      ...clients.map((client) => client.startIssuanceRun({ configurationId })),
      ...usernames.flatMap((username) =>
        clients.map((client) => client.issueCredential({ configurationId, username })),
      ),
    ]);
    await startRun(); // issues the credentials that were refused because the machine was busy
    await beside.stop();
    const counts = await Promise.all(
      usernames.map(async (username) => (await replacedOf(username)).length - 1),
    );
    expect(counts).toEqual(usernames.map((username) => (earned.includes(username) ? 1 : 0)));
  });
});

test("an unknown value is refused by name", async () => {
  await expect(configure({ renew_on: "Tuesday" })).rejects.toThrow(
    /renew_on.*"eligible"(\|| or )"new_record"/,
  );
});
