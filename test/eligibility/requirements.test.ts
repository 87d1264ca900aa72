import { setTimeout } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, it, test } from "vitest";
import { EligibilityService, RequirementKind } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { offerCredential } from "../configurations/offer-credential.js";
import { COURSE, givenAcademy } from "../support/academy.js";
import { completed, enrolled } from "../support/records.js";
import { codeAndMessage } from "../support/refusal.js";
import { tokenOf } from "../support/service.js";

const academy = givenAcademy();

const RUN_A = "course-v1:Uni+Stats+2025";
const RUN_B = "course-v1:Uni+Stats+2026";
const PATH = "path-v1:Uni+Data+2026+all";

let types = 0;

async function refusalOf(call: Promise<unknown>) {
  const [code, message] = await codeAndMessage(call);
  return { code, message };
}

beforeAll(async () => {
  await academy.report(
    ...[RUN_A, RUN_B].map((courseKey) => ({
      case: "course" as const,
      value: { courseKey, displayName: `Statistics ${courseKey.slice(-4)}`, letterGrades: ["A", "B", "C"] },
    })),
    {
      case: "learningPath",
      value: { pathKey: PATH, displayName: "Data", stepCourseKeys: [COURSE, RUN_A, RUN_B] },
    },
  );
});

const offer = (requirements: object, key = COURSE, more: object = {}, name = `Tree ${++types}`) =>
  offerCredential(academy.configurations, key, name, "retrieve_requirements", {
    requirements,
    ...more,
  } as JsonObject);

const enrol = (username: string, learningContextKey: string) =>
  academy.report(enrolled(username, learningContextKey));

const pass = (username: string, courseKey: string, letter = "") =>
  academy.report({ case: "courseGrade", value: { username, courseKey, passed: true, letter } });

const complete = (username: string, courseKey: string, percent: number) =>
  academy.report(completed(username, courseKey, percent));

const issue = (configurationId: number, username: string) =>
  academy.credentials.issueCredential({ configurationId, username });

async function entryOf(username: string, credentialTypeId: number, learningContextKey = COURSE) {
  const { credentials } = await academy.service
    .client(EligibilityService, await tokenOf({ username: "registrar", isStaff: true }))
    .getEligibility({ learningContextKey, username });
  const entry = credentials.find((each) => each.credentialTypeId === credentialTypeId);
  if (!entry) throw new Error("there is no such entry");
  return entry;
}

async function restEntryOf(username: string, credentialTypeId: number) {
  const address = `${academy.service.httpUrl}/api/learning_credentials/v1/eligibility/${encodeURIComponent(COURSE)}/`;
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${await tokenOf({ username })}` },
  });
  const { credentials } = (await response.json()) as { credentials: { credential_type_id: number }[] };
  return credentials.find((each) => each.credential_type_id === credentialTypeId);
}

describe("a tree of two requirements", () => {
  const tree = {
    all: [
      { grade: { Exam: 0.6 } },
      {
        any: [
          { passed: true, runs: [RUN_B, RUN_A] },
          { completion: 0.9, course: RUN_A },
        ],
      },
    ],
  };

  it("is reported part by part, and issued once it is met", async () => {
    const { id, credentialTypeId } = await offer(tree);
    await academy.enrol("ada");
    await enrol("ada", RUN_A);
    await complete("ada", RUN_A, 0.5);
    expect(await restEntryOf("ada", credentialTypeId)).toEqual({
      credential_type_id: credentialTypeId,
      name: expect.any(String),
      is_eligible: false,
      existing_credential: null,
      requirements: {
        kind: "all",
        is_met: false,
        required_count: 2,
        met_count: 1,
        parts: [
          {
            kind: "grade",
            is_met: true,
            course_keys: [COURSE],
            course_key: COURSE,
            current_grades: { exam: 90 },
            required_grades: { exam: 60 },
          },
          {
            kind: "any",
            is_met: false,
            required_count: 1,
            met_count: 0,
            parts: [
              // The learner takes part in the second run, so the second run is shown.
              {
                kind: "passed",
                is_met: false,
                course_keys: [RUN_B, RUN_A],
                course_key: RUN_A,
                required_passed: true,
              },
              {
                kind: "completion",
                is_met: false,
                course_keys: [RUN_A],
                course_key: RUN_A,
                current_completion: 0.5,
                required_completion: 0.9,
              },
            ],
          },
        ],
      },
    });
    const refusal = await refusalOf(issue(id, "ada"));
    expect(refusal.code).toBe("FailedPrecondition");
    expect(refusal.message).toContain(
      `Missing: one of: ${RUN_B} or ${RUN_A}: the platform has not reported whether the course is passed; or ${RUN_A}: completion: 0.5 of 0.9.`,
    );

    await pass("ada", RUN_A);
    const { isEligible, requirements } = await entryOf("ada", credentialTypeId);
    expect(isEligible).toBe(true);
    expect(requirements?.parts[1]).toMatchObject({ isMet: true, metCount: 1, kind: RequirementKind.ANY });
    expect(requirements?.parts[1]?.parts[0]).toMatchObject({ isMet: true, courseKey: RUN_A });
    const { uuid, results } = await issue(id, "ada").then(({ uuid }) =>
      academy.credentials.getCredential({ uuid }),
    );
    expect(uuid).not.toBe("");
    expect(results.map(({ courseKey }) => courseKey)).toEqual([COURSE, RUN_A]);
  });
});

describe("a learning path that requires some of its courses", () => {
  test.each([
    {
      function: "retrieve_completions",
      options: { required_completion: 0.5 },
      missing: "1 of 2 required courses",
    },
    {
      function: "retrieve_requirements",
      options: { requirements: { completion: 0.5 } },
      missing: "1 more of",
    },
  ])("counts them: $function", async ({ function: retrieval, options, missing }) => {
    const { credentialTypeId, id } = await offerCredential(
      academy.configurations,
      PATH,
      `Two of three by ${retrieval}`,
      retrieval,
      { ...options, required_steps: 2 },
    );
    const username = `two ${retrieval}`;
    await academy.enrol(username);
    for (const key of [PATH, RUN_A, RUN_B]) await enrol(username, key);
    await complete(username, RUN_A, 0.6);
    expect((await entryOf(username, credentialTypeId, PATH)).isEligible).toBe(false);
    const { message } = await refusalOf(issue(id, username));
    expect(message).toContain(missing);
    await complete(username, RUN_B, 0.5);
    expect((await entryOf(username, credentialTypeId, PATH)).isEligible).toBe(true);
    const run = await academy.credentials.startIssuanceRun({ configurationId: id, dryRun: true });
    expect(run.plan?.learners.map((each) => each.username)).toContain(username);
  });

  it("is only for paths", async () => {
    const { message } = await refusalOf(
      academy.configurations.createCredentialConfiguration({
        credentialConfiguration: {
          learningContextKey: RUN_A,
          credentialTypeId: (await offer({ passed: true })).credentialTypeId,
          customOptions: { required_steps: 2 },
        },
      }),
    );
    expect(message).toBe("custom_options.required_steps is for learning paths: a course has no steps.");
  });
});

describe("a required credential", () => {
  it("is met from its issue until it is withdrawn", async () => {
    const part = await offer({ completion: 0 }, RUN_A, {}, "Statistics");
    const { credentialTypeId, id } = await offer({
      holds: { credential_type_id: part.credentialTypeId },
      course: RUN_A,
    });
    await academy.enrol("holder");
    await enrol("holder", RUN_A);
    const before = await entryOf("holder", credentialTypeId);
    expect(before.isEligible).toBe(false);
    expect(before.requirements?.holds).toMatchObject({
      name: "Statistics",
      credentialTypeId: part.credentialTypeId,
      learningContextKeys: [RUN_A],
    });
    const { message } = await refusalOf(issue(id, "holder"));
    expect(message).toContain(`Missing: the credential "Statistics" in ${RUN_A}.`);
    const held = await issue(part.id, "holder");
    const after = await entryOf("holder", credentialTypeId);
    expect(after.isEligible).toBe(true);
    expect(after.requirements?.holds?.verifyUuid).toBe(held.verifyUuid);

    const whole = await issue(id, "holder");
    const { held: parts, requirements } = await academy.credentials.getCredential({ uuid: whole.uuid });
    expect(parts).toMatchObject([
      {
        uuid: held.uuid,
        verifyUuid: held.verifyUuid,
        credentialType: "Statistics",
        learningContextName: "Statistics 2025",
        isWithdrawn: false,
      },
    ]);
    // If the requirements change later, the credential keeps the earlier ones.
    expect(requirements).toEqual({ holds: { credential_type_id: part.credentialTypeId }, course: RUN_A });

    await academy.fail(held.uuid);
    expect((await entryOf("holder", credentialTypeId)).isEligible).toBe(false);
  });

  it("can't be deleted while it is required", async () => {
    const part = await offer({ completion: 0 }, RUN_A);
    const whole = await offer({ holds: { configuration_id: part.id } });
    const { code, message } = await refusalOf(
      academy.configurations.deleteCredentialConfiguration({ id: part.id }),
    );
    expect(code).toBe("FailedPrecondition");
    expect(message).toContain(`The requirements of configuration ${whole.id}`);
  });
});

describe("credentials that would require each other", () => {
  const require = (id: number, held: number) =>
    academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: {
        id,
        customOptions: { requirements: { holds: { configuration_id: held } } },
      },
      updateMask: { paths: ["custom_options"] },
    });

  it("are refused by name, directly and through others", async () => {
    const [gold, silver, bronze] = await Promise.all(
      ["Gold", "Silver", "Bronze"].map((name) => offer({ completion: 1 }, COURSE, {}, name)),
    );
    if (!gold || !silver || !bronze) throw new Error("they are not offered");
    await require(gold.id, silver.id);
    await require(silver.id, bronze.id);
    const { code, message } = await refusalOf(require(bronze.id, gold.id));
    expect(code).toBe("InvalidArgument");
    expect(message).toBe(
      `custom_options.requirements: credentials can't require each other: "Bronze" in ${COURSE} requires "Gold" in ${COURSE} requires "Silver" in ${COURSE} requires "Bronze" in ${COURSE}. Remove one of these requirements (holds).`,
    );
    const { message: itself } = await refusalOf(require(bronze.id, bronze.id));
    expect(itself).toContain(`"Bronze" in ${COURSE} requires "Bronze" in ${COURSE}`);
  });

  it("are refused if offering a type closes the circle", async () => {
    const outer = await offer({ completion: 1 });
    const { id: innerType } = await academy.configurations.createCredentialType({
      credentialType: {
        name: "Inner",
        retrievalFunc: "learning_credentials.processors.retrieve_requirements",
        generationFunc: "learning_credentials.generators.generate_pdf_credential",
        customOptions: { requirements: { holds: { configuration_id: outer.id } } },
      },
    });
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: {
        id: outer.id,
        customOptions: {
          requirements: { holds: { credential_type_id: innerType }, anywhere: true },
        },
      },
      updateMask: { paths: ["custom_options"] },
    });
    const { message } = await refusalOf(
      academy.configurations.createCredentialConfiguration({
        credentialConfiguration: { learningContextKey: RUN_A, credentialTypeId: innerType },
      }),
    );
    expect(message).toContain(`"Inner" in ${RUN_A} requires`);
  });

  it("are refused if two simultaneous edits would close the circle", async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = await Promise.all([offer({ completion: 1 }), offer({ completion: 1 })]);
      if (!one || !other) throw new Error("they are not offered");
      const outcomes = await Promise.allSettled([
        require(one.id, other.id),
        setTimeout(round).then(() => require(other.id, one.id)),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    }
  });
});

describe("a tree that can't be saved", () => {
  const deep = (levels: number): object => (levels === 1 ? { passed: true } : { all: [deep(levels - 1)] });
  test.each<[string, unknown, string]>([
    ["is empty", {}, "requirements: must be an object with exactly one of all, any"],
    ["says two things", { all: [], passed: true }, "holds, but has all and passed"],
    ["has no parts", { any: [] }, "requirements.any: must be a list of at least one requirement"],
    [
      "requires more than there is",
      { at_least: 3, of: [{ passed: true }] },
      "requirements.at_least: must be a whole number from 1 to 1, the number of parts",
    ],
    ["is too deep", deep(9), "is nested too deeply: at most 8 levels are accepted"],
    [
      "is too large",
      { all: [{ any: Array(101).fill({ passed: true }) }, { any: Array(100).fill({ passed: true }) }] },
      "requirements: has 201 requirements; at most 200 are accepted",
    ],
    ["has a wrong fraction", { all: [{ completion: 90 }] }, "requirements.all.0.completion: "],
    [
      "has an unknown member",
      { passed: true, of: [] },
      "requirements.of: is not supported with passed; supported are course, runs",
    ],
    [
      "has a wrong key",
      { passed: true, course: "Stats" },
      'requirements.course: is "Stats"; it must be a course key, course-v1:{org}+{course}+{run}',
    ],
    ["requires a path's results", { passed: true, runs: [PATH] }, "requirements.runs.0: is "],
    [
      "has course and runs",
      { passed: true, course: RUN_A, runs: [RUN_B] },
      "has both course and runs: remove one of them",
    ],
    ["names a run twice", { passed: true, runs: [RUN_A, RUN_A] }, "requirements.runs: names a course twice"],
    [
      "holds nothing",
      { holds: "Gold" },
      "requirements.holds: must be an object with a numeric credential_type_id",
    ],
    [
      "holds what is not there",
      { holds: { credential_type_id: 99999 } },
      "there is no credential type 99999",
    ],
    [
      "names the course of a configuration",
      { holds: { configuration_id: 1 }, course: RUN_A },
      "remove course, runs and anywhere",
    ],
    [
      "requires more grades than a query can have columns",
      {
        all: Array.from({ length: 200 }, (_, leaf) => ({
          grade: Object.fromEntries(Array.from({ length: 6 }, (_, type) => [`t${leaf} ${type}`, 0.5])),
        })),
      },
      "requirements: requires 1200 grades; at most 1000 are accepted",
    ],
    ["requires none", { at_least: 0, of: [{ passed: true }] }, "must be a whole number from 1 to 1"],
    [
      "holds a number that no credential type can have",
      { holds: { credential_type_id: 2_147_483_648 } },
      "requirements.holds: must be an object with a numeric credential_type_id",
    ],
    ["is not passed", { passed: false }, "requirements.passed: must be true"],
  ])("%s", async (_, tree, said) => {
    const { code, message } = await refusalOf(offer(tree as object));
    expect(code).toBe("InvalidArgument");
    expect(message).toContain(said);
  });

  it("has as many grades as allowed, and is evaluated", async () => {
    const grades = Array.from({ length: 200 }, (_, leaf) => ({
      grade: Object.fromEntries(Array.from({ length: 5 }, (_, type) => [`t${leaf} ${type}`, 0.5])),
    }));
    const { id } = await offer({ all: grades });
    const { plan } = await academy.credentials.startIssuanceRun({ configurationId: id, dryRun: true });
    expect(plan?.issueCount).toBe(0);
  });

  it("has steps", async () => {
    const { message } = await refusalOf(
      offer({ passed: true }, PATH, { steps: { [RUN_A]: { requirements: { passed: true } } } }),
    );
    expect(message).toContain("whose requirements name their courses in course or runs");
  });

  it("is larger than allowed", async () => {
    const leaves = Array.from({ length: 199 }, (_, index) => ({ grade: { Exam: index / 200 } }));
    const { credentialTypeId, id } = await offer({ all: [{ at_least: 150, of: leaves }, deep(7)] });
    await academy.enrol("large");
    expect((await entryOf("large", credentialTypeId)).isEligible).toBe(false);
    const { plan } = await academy.credentials.startIssuanceRun({ configurationId: id, dryRun: true });
    expect(plan?.issueCount).toBe(0);
  });
});

describe("a configuration with its own tree", () => {
  it("replaces that of its type as a whole", async () => {
    const { id, credentialTypeId } = await offer({ all: [{ passed: true }, { letter: "A" }] });
    await academy.configurations.updateCredentialConfiguration({
      credentialConfiguration: {
        id,
        customOptions: { requirements: { any: [{ completion: 0.2, course: RUN_B }] } },
      },
      updateMask: { paths: ["custom_options"] },
    });
    await academy.enrol("own");
    await complete("own", RUN_B, 0.2);
    const { requirements, isEligible } = await entryOf("own", credentialTypeId);
    expect(requirements?.kind).toBe(RequirementKind.ANY);
    expect(isEligible).toBe(true);
  });
});

describe("the plan of a change", () => {
  it("names who would become eligible and who would no longer be, and changes nothing", async () => {
    const run = "course-v1:Uni+Plan+2026";
    await academy.report({ case: "course", value: { courseKey: run, displayName: "Plan" } });
    const { id } = await offer({ completion: 0.5 }, run);
    for (const [username, percent, passed] of [
      ["plan keeps", 0.9, true],
      ["plan loses", 0.9, false],
      ["plan gains", 0.1, true],
      ["plan stays out", 0.1, false],
    ] as const) {
      await academy.enrol(username);
      await enrol(username, run);
      await complete(username, run, percent);
      if (passed) await pass(username, run);
    }
    await issue(id, "plan loses");
    const client = academy.service.client(
      EligibilityService,
      await tokenOf({ username: "registrar", isStaff: true }),
    );
    const requested = {
      learningContextKey: run,
      retrievalFunc: "learning_credentials.processors.retrieve_requirements",
      customOptions: { requirements: { passed: true } },
      configurationId: id,
    };
    const { gainedCount, lostCount, changes, eligibleCount } = await client.previewEligibility(requested);
    expect([eligibleCount, gainedCount, lostCount]).toEqual([2, 1, 1]);
    expect(
      changes.map(({ username, isGained, hasCredential }) => [username, isGained, hasCredential]),
    ).toEqual([
      ["plan gains", true, false],
      ["plan loses", false, true],
    ]);
    const { message } = await refusalOf(
      client.previewEligibility({ ...requested, learningContextKey: RUN_A }),
    );
    expect(message).toContain(`is ${id}, which belongs to ${run}; it must belong to ${RUN_A}.`);
  });
});

it("refuses to issue while a connector has not read a course that the tree names", async () => {
  const unread = "course-v1:Uni+Unread+2026";
  const { id } = await offer({ any: [{ completion: 0 }, { passed: true, course: unread }] });
  await academy.enrol("fresh");
  await academy.service.app.database.knex.raw(
    `insert into connector_contexts (connector, context_key, external_id, display_name, seen_sweep, fresh_for)
     values ('moodle', ?, '1', 'Unread', 1, interval '1 day')`,
    [unread],
  );
  const { code, message } = await refusalOf(issue(id, "fresh"));
  expect(code).toBe("FailedPrecondition");
  expect(message).toContain(`The connector moodle has never read ${unread} completely`);
});
