import { beforeEach, describe, expect, it } from "vitest";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { assetParts } from "../../assets/asset-parts.js";
import { learner } from "../../support/records.js";
import { codeAndMessage as refusal } from "../../support/refusal.js";
import { counts, course, exam, givenRuns, NO_GLYPH, type Offer, skips } from "./runs.js";

const runs = givenRuns();
beforeEach(() => runs.emptyQueue());

describe("a plan", () => {
  it("lists who gets a credential, who is skipped and why, and changes nothing", async () => {
    const { configurationId, courseKey, enrol } = await runs.offer("has", "had", "new", "retried");
    await enrol("blank", "spaces", "nameless", "unprintable", "ineligible");
    await runs.academy.report(
      learner("blank", ""),
      learner("spaces", " \u00a0"),
      learner("unprintable", `Ana ${NO_GLYPH}`),
      exam(courseKey, "ineligible", 7),
    );
    await runs.academy.withdraw(learner("nameless"));
    const issue = (username: string) =>
      runs.academy.credentials.issueCredential({ configurationId, username });
    await issue("has");
    await runs.academy.invalidate((await issue("had")).uuid);
    await runs.academy.fail((await issue("retried")).uuid);
    const before = [
      await runs.issued(configurationId),
      await runs.events(configurationId),
      await runs.academy.jobs(),
    ];

    expect(await runs.plan(configurationId)).toMatchObject({
      planHash: expect.stringMatching(/^2\.3\.[0-9a-f]{64}$/),
      issueCount: 2,
      usernames: ["new", "retried"],
      retryCount: 1,
      skipped: [
        { reason: SkipReason.HAS_CREDENTIAL, count: 1 },
        { reason: SkipReason.WITHDRAWN, count: 1 },
        { reason: SkipReason.NO_FULL_NAME, count: 2 },
        { reason: SkipReason.UNPRINTABLE_NAME, count: 1 },
      ],
      samples: [{ username: "new" }, { username: "retried" }],
      skippedLearners: [
        {
          username: "blank",
          reason: SkipReason.NO_FULL_NAME,
          detail: expect.stringContaining("no full name"),
        },
        { username: "spaces", reason: SkipReason.NO_FULL_NAME },
        {
          username: "unprintable",
          reason: SkipReason.UNPRINTABLE_NAME,
          detail: expect.stringContaining(
            `No font can print "${NO_GLYPH}" (U+10FFFD), which the learner's full name contains.`,
          ),
        },
      ],
    });
    expect([
      await runs.issued(configurationId),
      await runs.events(configurationId),
      await runs.academy.jobs(),
    ]).toEqual(before);
    expect((await runs.academy.credentials.listIssuanceRuns({ configurationId })).runs).toEqual([]);
  });

  it("is carried out as shown", async () => {
    const { configurationId, enrol } = await runs.offer("b", "a", "Z");
    await enrol("unprintable");
    await runs.academy.report(learner("unprintable", NO_GLYPH));
    const { planHash, usernames } = await runs.plan(configurationId);
    expect(await runs.plan(configurationId)).toMatchObject({ planHash });
    await runs.academy.report({
      case: "learner",
      value: { username: "a", fullName: "Learner a", email: "new@uni.test" },
    });
    const run = await runs.start(configurationId, planHash);
    expect([usernames, Object.keys(await runs.issued(configurationId))]).toEqual([
      ["Z", "a", "b"],
      ["Z", "a", "b"],
    ]);
    expect([counts(run), skips(run)]).toEqual([["RUNNING", 3, 3, 0, 0], { UNPRINTABLE_NAME: 1 }]);
  });

  const changes: [what: string, change: (of: Offer) => Promise<unknown>, now: string][] = [
    ["a grade", ({ courseKey }) => runs.academy.report(exam(courseKey, "plan b", 1)), "issue 1 and skip 0"],
    ["a newcomer", ({ enrol }) => enrol("plan c"), "issue 3 and skip 0"],
    [
      "a swap",
      async ({ enrol, courseKey }) => {
        await enrol("plan c");
        await runs.academy.report(exam(courseKey, "plan b", 1));
      },
      "issue 2 and skip 0 because of their names, but with different contents",
    ],
    ["a name", () => runs.academy.report(learner("plan b", "Another Name")), "issue 2 and skip 0"],
    [
      "a name that can't be printed",
      () => runs.academy.report(learner("plan b", NO_GLYPH)),
      "issue 1 and skip 1",
    ],
    [
      "the name of the course",
      ({ courseKey }) => runs.academy.report(course(courseKey, "Renamed")),
      "issue 2",
    ],
    [
      "an option",
      ({ configurationId: id }) =>
        runs.academy.configurations.updateCredentialConfiguration({
          credentialConfiguration: { id, customOptions: { accent_color: "#123456" } },
          updateMask: { paths: ["custom_options"] },
        }),
      "issue 2",
    ],
    [
      "a credential that somebody else issues",
      ({ configurationId }) =>
        runs.academy.credentials.issueCredential({ configurationId, username: "plan a" }),
      "issue 1 and skip 0",
    ],
  ];

  it.each(changes)("is refused after a change of %s", async (_, change, now) => {
    const of = await runs.offer("plan a", "plan b");
    const { planHash } = await runs.plan(of.configurationId);
    await change(of);
    const before = Object.keys(await runs.issued(of.configurationId));
    const [code, message] = await refusal(runs.start(of.configurationId, planHash));
    expect(code).toBe("Aborted");
    expect(message).toContain("it was to issue 2 and skip 0 because of their names, and is now to");
    expect(message).toContain(now);
    expect(message).toContain("Check the plan again (dry_run), and start the run with its plan_hash.");
    expect(Object.keys(await runs.issued(of.configurationId))).toEqual(before);
    await runs.start(of.configurationId, (await runs.plan(of.configurationId)).planHash);
  });

  it("is refused after a new version of an asset that is printed", async () => {
    const of = await runs.offer("asset a");
    const upload = async (svg: string) => {
      const bytes = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${svg}</svg>`);
      await runs.academy.configurations.uploadAsset(assetParts("crest", bytes));
    };
    await upload('<rect width="10" height="10"/>');
    await runs.academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: {
        id: of.configurationId,
        customOptions: { images: [{ asset: "crest", x: 1, y: 1, width: 10, height: 10 }] },
      },
      updateMask: { paths: ["custom_options"] },
    });
    const { planHash } = await runs.plan(of.configurationId);
    await upload('<rect width="9" height="9"/>');
    expect((await refusal(runs.start(of.configurationId, planHash)))[0]).toBe("Aborted");
  });

  it.each(["x", "1.2", `1.2.${"0".repeat(63)}`, `1.2.${"G".repeat(64)}`])(
    "with the hash %j is refused as it is",
    async (planHash) => {
      const { configurationId } = await runs.offer("malformed");
      const [code, message] = await refusal(runs.start(configurationId, planHash));
      expect([code, message]).toEqual([
        "InvalidArgument",
        expect.stringContaining("the unchanged plan_hash of a dry run"),
      ]);
    },
  );
});
