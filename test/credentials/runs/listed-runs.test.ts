import { beforeEach, describe, expect, it, vi } from "vitest";
import { WarningKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { CredentialEventRemark } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { Academy } from "../../support/academy.js";
import { learner } from "../../support/records.js";
import { codeAndMessage as refusal } from "../../support/refusal.js";
import { counts, course, exam, givenRuns, NO_GLYPH, skips } from "./runs.js";

const runs = givenRuns();
beforeEach(() => runs.emptyQueue());

type Request = Parameters<Academy["credentials"]["startIssuanceRun"]>[0];

const start = (request: Request) => runs.academy.credentials.startIssuanceRun(request);
const judged = ({ plan }: Awaited<ReturnType<typeof start>>) =>
  plan?.listedLearners.map(({ username, isReady, reason, isNew }) => [
    username,
    isReady ? "READY" : SkipReason[reason],
    ...(isNew ? ["new"] : []),
  ]);
const recordOf = (username: string) => runs.database.knex("learners").where({ username }).first();

describe("a run for a list", () => {
  it("checks every row, issues to learners who are ready, and to nobody else", async () => {
    const { configurationId, courseKey } = await runs.offer("l-ready", "l-has", "l-had", "l-low", "l-other");
    await runs.offer("l-elsewhere");
    await runs.academy.report(
      exam(courseKey, "l-low", 1),
      learner("l-blank", ""),
      learner("l-odd", `Ana ${NO_GLYPH}`),
    );
    const issue = (username: string) =>
      runs.academy.credentials.issueCredential({ configurationId, username });
    await issue("l-has");
    await runs.academy.invalidate((await issue("l-had")).uuid);
    const usernames = ["l-ready", "l-has", "l-had", "l-low", "l-nobody", "l-ready", "a\u0000", "l-elsewhere"];
    const dry = await start({ configurationId, usernames, dryRun: true });

    expect(judged(dry)).toEqual([
      ["l-ready", "READY"],
      ["l-has", "HAS_CREDENTIAL"],
      ["l-had", "WITHDRAWN"],
      ["l-low", "NOT_ELIGIBLE"],
      ["l-nobody", "UNKNOWN_LEARNER"],
      ["l-ready", "REPEATED"],
      ["a\u0000", "INVALID"],
      ["l-elsewhere", "NOT_ELIGIBLE"],
    ]);
    expect(dry.plan).toMatchObject({ issueCount: 1, usernames: ["l-ready"] });
    expect(dry.plan?.listedLearners[6]?.detail).toContain("control character U+0000");
    const planHash = dry.plan?.planHash ?? "";
    const { run } = await start({ configurationId, usernames, planHash });
    expect(run).toMatchObject({ issuedCount: 1, listedCount: 7, skipEligibilityCheck: false });
    expect(run && skips(run)).toEqual({
      HAS_CREDENTIAL: 1,
      WITHDRAWN: 1,
      NOT_ELIGIBLE: 2,
      UNKNOWN_LEARNER: 1,
      INVALID: 1,
    });
    expect(Object.keys(await runs.issued(configurationId))).toEqual(["l-had", "l-has", "l-ready"]);
    expect(judged(await start({ configurationId, usernames: ["l-ready"], dryRun: true }))).toEqual([
      ["l-ready", "HAS_CREDENTIAL"],
    ]);
  });

  it("issues to ineligible learners if requested, and says so in the run, the events, and a retry", async () => {
    const { configurationId } = await runs.offer();
    await runs.academy.report(
      learner("s1"),
      learner("s2-fails"),
      learner("s-blank", " "),
      learner("s-odd", NO_GLYPH),
    );
    const usernames = ["s1", "s2-fails", "s-blank", "s-odd"];
    const started = await start({ configurationId, usernames, skipEligibilityCheck: true });
    expect(judged(started)).toEqual([
      ["s1", "READY"],
      ["s2-fails", "READY"],
      ["s-blank", "NO_FULL_NAME"],
      ["s-odd", "UNPRINTABLE_NAME"],
    ]);
    expect(started.run).toMatchObject({ issuedCount: 2, skipEligibilityCheck: true });
    const id = started.run?.id ?? "";
    const { uuid } = (await runs.issued(configurationId)).s1 ?? {};
    await vi.waitFor(async () => {
      const { events } = await runs.academy.credentials.listCredentialEvents({ credentialUuid: uuid ?? "" });
      expect(events.map(({ remarks }) => remarks)).toEqual([[CredentialEventRemark.ELIGIBILITY_SKIPPED]]);
    });
    await runs.makeAll(configurationId);
    expect(await runs.academy.credentials.retryIssuanceRun({ id })).toMatchObject({
      generatingCount: 1,
      skipEligibilityCheck: true,
    });
  });

  it("creates a record of a new learner to whom it issues, and of nobody else", async () => {
    const { configurationId } = await runs.offer();
    await runs.academy.report(learner("n-known", "Known Name"));
    const newLearners = [
      { username: "n-new", fullName: "Núria  Nova", email: "nuria@uni.test" },
      { username: "n-known", fullName: "Another Name", email: "other@uni.test" },
      { username: "n-mail", fullName: "Bad Mail", email: "two@uni.test, one@uni.test" },
      { username: "n-nameless", fullName: "" },
      { username: "n-odd", fullName: `Odd ${NO_GLYPH}` },
    ];
    const request = { configurationId, newLearners, skipEligibilityCheck: true };
    const dry = await start({ ...request, dryRun: true });
    expect(judged(dry)).toEqual([
      ["n-new", "READY", "new"],
      ["n-known", "READY"],
      ["n-mail", "INVALID"],
      ["n-nameless", "INVALID"],
      ["n-odd", "UNPRINTABLE_NAME", "new"],
    ]);
    expect(dry.plan?.listedLearners[1]?.detail).toContain('a record with the name "Known Name"');
    for (const { username } of newLearners) {
      expect(Boolean(await recordOf(username))).toBe(username === "n-known");
    }

    const { run } = await start({ ...request, planHash: dry.plan?.planHash ?? "" });
    expect(run && counts(run)).toEqual(["RUNNING", 2, 2, 0, 0]);
    const issued = await runs.issued(configurationId);
    expect(Object.values(issued).map((row) => row.user_full_name)).toEqual(["Known Name", "Núria Nova"]);
    expect(await recordOf("n-new")).toMatchObject({ email: "nuria@uni.test", full_name: "Núria Nova" });
    expect(await recordOf("n-known")).toMatchObject({ email: "" });
    expect(await recordOf("n-odd")).toBeUndefined();

    const old = { seconds: 1_000_000_000n };
    const kind = learner("n-new", "Nova, by the platform");
    await runs.academy.records.upsertRecords({ records: [{ kind, observeTime: old }] });
    expect(await recordOf("n-new")).toMatchObject({ full_name: "Nova, by the platform" });
  });

  it("does not create a record for a new learner who is not eligible", async () => {
    const { configurationId } = await runs.offer();
    const newLearners = [{ username: "n-ineligible", fullName: "New" }];
    const started = await start({ configurationId, newLearners });
    expect(judged(started)).toEqual([["n-ineligible", "NOT_ELIGIBLE", "new"]]);
    expect(started.run).toMatchObject({ issuedCount: 0 });
    expect(await recordOf("n-ineligible")).toBeUndefined();
  });

  it("an erased learner is not created again", async () => {
    const { configurationId } = await runs.offer("l-erased");
    await runs.academy.records.eraseLearner({ username: "l-erased" });
    const newLearners = [{ username: "l-erased", fullName: "Erased" }];
    const started = await start({ configurationId, newLearners, skipEligibilityCheck: true });
    expect(judged(started)).toEqual([["l-erased", "UNKNOWN_LEARNER"]]);
  });

  it.each(["another learner", "another name", "no check", "a shorter list"])(
    "refuses the hash after a change: %s",
    async (change) => {
      const name = change.replaceAll(" ", "-");
      const { configurationId, courseKey } = await runs.offer(`${name}1`, `${name}2`);
      const usernames = [`${name}1`, `${name}2`];
      const { plan } = await start({ configurationId, usernames, dryRun: true });
      const request = { configurationId, usernames, planHash: plan?.planHash ?? "" };
      if (change === "another learner") await runs.academy.report(exam(courseKey, `${name}1`, 0));
      if (change === "another name") await runs.academy.report(learner(`${name}1`, "Renamed"));
      if (change === "no check") Object.assign(request, { skipEligibilityCheck: true });
      if (change === "a shorter list") request.usernames = [`${name}2`];
      const [code, message] = await refusal(start(request));
      expect([code, message]).toEqual(["Aborted", expect.stringContaining("The plan has changed")]);
      expect(await runs.issued(configurationId)).toEqual({});
    },
  );

  it("has at most 5000 learners, and skips the check only for them", async () => {
    const { configurationId } = await runs.offer();
    const usernames = Array.from({ length: 5001 }, (_, index) => `many${index}`);
    expect(await refusal(start({ configurationId, usernames }))).toEqual([
      "InvalidArgument",
      "usernames and new_learners have 5001 learners; at most 5000 are accepted: start several runs.",
    ]);
    expect(await refusal(start({ configurationId, skipEligibilityCheck: true }))).toEqual([
      "InvalidArgument",
      expect.stringContaining("skip_eligibility_check is only allowed with a list"),
    ]);
    const { plan } = await start({ configurationId, usernames: usernames.slice(1), dryRun: true });
    expect(plan?.listedLearners).toHaveLength(5000);
  });

  it("needs a course with a record", async () => {
    const { configurationId, courseKey } = await runs.offer("c1");
    await runs.academy.withdraw(course(courseKey));
    const [code] = await refusal(start({ configurationId, usernames: ["c1"] }));
    expect(code).toBe("FailedPrecondition");
  });
});

describe("facts of a list", () => {
  const printed = {
    facts: ["grade", "hours", "learner_id", "award_date", "learner.programme", "enrollment.prize"],
    hours: 20,
  };
  const facts = {
    username: "f-new",
    grade: 85.5,
    hours: 60.5,
    learnerId: "M-17",
    awardDate: "2020-06-30",
    attributes: { programme: "Chemistry", prize: "First", unused: "x" },
  };
  const saidOf = async (configurationId: number, username: string) => {
    const row = await runs.database
      .knex("credentials")
      .where({ configuration_id: configurationId, username })
      .orderBy("id", "desc")
      .first("uuid", "particulars", "awarded_at");
    const { given, ...said } = row.particulars;
    return { uuid: row.uuid as string, said, given, awarded: row.awarded_at as Date | null };
  };
  const said = {
    grade: 85.5,
    hours: 60.5,
    learner_id: "M-17",
    learner: { programme: "Chemistry" },
    enrollment: { prize: "First" },
  };
  async function offerPrinting(...usernames: string[]) {
    const offer = await runs.offer(...usernames);
    await runs.academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: { id: offer.configurationId, customOptions: printed },
      updateMask: { paths: ["custom_options"] },
    });
    return offer;
  }

  it("are printed instead of records and options, and kept by a reissue", async () => {
    const { configurationId } = await offerPrinting("f-known");
    const list = {
      configurationId,
      usernames: ["f-known"],
      newLearners: [{ username: "f-new", fullName: "Ana Kovač", email: "" }],
      skipEligibilityCheck: true,
    };
    const known = { username: "f-known", learnerId: "K-1" };
    const without = await start({ ...list, dryRun: true });
    const dry = await start({ ...list, facts: [facts, known], dryRun: true });
    expect(dry.plan?.planHash).not.toBe(without.plan?.planHash);
    expect(dry.plan?.warnings).toEqual([expect.stringContaining("the attribute unused")]);
    expect(dry.plan?.explainedWarnings).toMatchObject([
      { kind: WarningKind.UNPRINTED_ATTRIBUTE, name: "unused", text: dry.plan?.warnings[0] },
    ]);
    await start({ ...list, facts: [facts, known], planHash: dry.plan?.planHash ?? "" });

    expect(await saidOf(configurationId, "f-known")).toMatchObject({
      said: { hours: 20, learner_id: "K-1", grade: expect.any(Number) },
      awarded: null,
    });
    const before = await saidOf(configurationId, "f-new");
    expect(before).toMatchObject({ said, given: said });
    expect(before.awarded?.toISOString()).toBe("2020-06-30T00:00:00.000Z");

    await runs.makeAll(configurationId);
    await runs.academy.report({
      case: "learner",
      value: { username: "f-new", fullName: "Ana Kovač-Bo", learnerId: "other" },
    });
    await runs.academy.credentials.reissueCredential({ uuid: before.uuid, reason: "Misspelt." });
    expect(await saidOf(configurationId, "f-new")).toMatchObject({
      said,
      given: said,
      awarded: before.awarded,
    });
  });

  it("outlast a failure: a retry has them, and another list has its own", async () => {
    const { configurationId } = await offerPrinting("f-retried-fails");
    const list = { configurationId, usernames: ["f-retried-fails"] };
    const { run } = await start({ ...list, facts: [{ ...facts, username: "f-retried-fails" }] });
    await runs.makeAll(configurationId);
    await runs.academy.credentials.retryIssuanceRun({ id: run?.id ?? "" });
    expect(await saidOf(configurationId, "f-retried-fails")).toMatchObject({ said, given: said });
    await runs.makeAll(configurationId);
    await start({ ...list, facts: [{ username: "f-retried-fails", grade: 90 }] });
    expect(await saidOf(configurationId, "f-retried-fails")).toMatchObject({
      said: { grade: 90, hours: 20 },
      given: { grade: 90 },
    });
  });

  it.each([
    [103.5, 100],
    [59.9999999, 59.999999],
  ])(
    "have a grade of %d as %d: extra credit is limited, and nothing is rounded up",
    async (grade, stored) => {
      const username = `f-grade-${stored}`;
      const { configurationId } = await offerPrinting(username);
      await start({ configurationId, usernames: [username], facts: [{ username, grade }] });
      expect(await saidOf(configurationId, username)).toMatchObject({ said: { grade: stored } });
    },
  );

  it.each<[string, object, string]>([
    ["a grade above 200", { grade: 201 }, "facts.grade is 201"],
    ["hours of none", { hours: 0 }, "facts.hours is 0"],
    ["a day that never was", { awardDate: "2026-02-30" }, "facts.award_date is"],
    ["a day to come", { awardDate: "9999-01-01" }, "facts.award_date is"],
    ["an attribute by another key", { attributes: { "Not this": "x" } }, "facts.attributes has the key"],
  ])("are refused for their row with %s", async (_, wrong, detail) => {
    const { configurationId } = await offerPrinting("f-wrong");
    const { plan } = await start({
      configurationId,
      usernames: ["f-wrong"],
      facts: [{ username: "f-wrong", ...wrong }],
      dryRun: true,
    });
    expect(plan?.listedLearners).toMatchObject([{ reason: SkipReason.INVALID }]);
    expect(plan?.listedLearners[0]?.detail).toContain(detail);
  });

  it("are refused for learners who are not in the list, or given twice", async () => {
    const { configurationId } = await offerPrinting("f-one");
    const list = { configurationId, usernames: ["f-one"], dryRun: true };
    const one = { username: "f-one", hours: 1 };
    await expect(start({ ...list, facts: [{ username: "f-two", hours: 1 }] })).rejects.toThrow(
      "is not in usernames",
    );
    await expect(start({ ...list, facts: [one, one] })).rejects.toThrow("more than once");
    await expect(start({ configurationId, facts: [one] })).rejects.toThrow(
      "facts is only allowed with a list",
    );
  });
});
