import { Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { tokenOf } from "../../support/service.js";
import {
  COURSE,
  completion,
  course,
  each,
  enrollment,
  givenPlatform,
  grade,
  learner,
  NOON,
  newUsername,
  observed,
  path,
  policy,
  type RecordInit,
} from "./platform.js";

const platform = givenPlatform();

describe("records that arrive again, late or in any order", () => {
  const eligibility = async (username: string, learningContextKey = COURSE) => {
    const eligibilities = platform.service.client(EligibilityService, staff);
    const { credentials } = await eligibilities.getEligibility({ learningContextKey, username });
    return credentials[0];
  };
  /** Returns the percentage in the exam; 0 if there is none. */
  const exam = async (username: string) =>
    (await eligibility(username))?.currentGrades.find(({ key }) => key === "exam")?.value;

  const configure = (learningContextKey: string) =>
    platform.service.client(ConfigurationService, staff).createCredentialConfiguration({
      credentialConfiguration: { learningContextKey, credentialTypeId },
    });

  let staff: string;
  let credentialTypeId: number;

  beforeAll(async () => {
    staff = await tokenOf({ username: "registrar", isStaff: true });
    const type = await platform.service.client(ConfigurationService, staff).createCredentialType({
      credentialType: {
        name: "Completed and graded",
        retrievalFunc: "learning_credentials.processors.retrieve_completions_and_grades",
        generationFunc: "learning_credentials.generators.generate_pdf_credential",
        customOptions: { required_completion: 0.5, required_grades: { Exam: 0.6, Total: 0.6 } },
      },
    });
    credentialTypeId = type.id;
    await configure(COURSE);
    await platform.records.upsertRecords({ records: [policy(["Exam", 1])] });
  });

  const newLearner = async () => {
    const username = newUsername();
    await platform.records.upsertRecords({ records: [learner(username)] });
    return username;
  };

  it("change nothing the second time", async () => {
    const username = newUsername();
    const all = [
      learner(username),
      enrollment(username),
      grade(username),
      completion(username),
      course({ courseKey: "course-v1:Uni+Again+1", gradingPolicy: [{ assignmentType: "Exam", weight: 1 }] }),
      path({ stepCourseKeys: [COURSE] }),
    ].map((record) => observed(record, NOON));
    expect((await platform.records.upsertRecords({ records: all })).summary).toMatchObject({
      written: 6,
      unchanged: 0,
    });
    const again = await platform.records.upsertRecords({ records: all });
    expect(again.summary).toMatchObject({ received: 6, written: 0, unchanged: 6 });
    const withdrawn = all.map((record) => ({ ...record, deleted: true }));
    expect((await platform.records.upsertRecords({ records: withdrawn })).summary).toMatchObject({
      written: 6,
    });
    expect((await platform.records.upsertRecords({ records: withdrawn })).summary).toMatchObject({
      unchanged: 6,
    });
    await platform.records.upsertRecords({ records: [policy(["Exam", 1])] });
  });

  const at = (micros: number) => ({ seconds: BigInt(NOON / 1000), nanos: micros * 1000 });
  const reported = (username: string, micros: number, earned: number | "withdrawn"): RecordInit => ({
    ...grade(username, earned === "withdrawn" ? {} : { earned }),
    deleted: earned === "withdrawn",
    observeTime: at(micros),
  });

  it.each<[string, [number, number | "withdrawn"][], number]>([
    [
      "a newer one counts",
      [
        [1, 5],
        [2, 6],
      ],
      60,
    ],
    [
      "an older one that comes late does not",
      [
        [2, 6],
        [1, 5],
      ],
      60,
    ],
    [
      "a microsecond decides",
      [
        [999_999, 6],
        [999_998, 5],
      ],
      60,
    ],
    [
      "of one moment, the later sent counts",
      [
        [1, 5],
        [1, 6],
      ],
      60,
    ],
    [
      "a withdrawn grade does not count",
      [
        [1, 5],
        [2, "withdrawn"],
      ],
      0,
    ],
    [
      "an older one does not bring it back",
      [
        [1, 5],
        [3, "withdrawn"],
        [2, 6],
      ],
      0,
    ],
    [
      "a newer one does",
      [
        [1, 5],
        [2, "withdrawn"],
        [3, 6],
      ],
      60,
    ],
    [
      "a withdrawal that comes late does not count",
      [
        [2, 6],
        [1, "withdrawn"],
      ],
      60,
    ],
    [
      "a withdrawal that arrives first overrides older records",
      [
        [2, "withdrawn"],
        [1, 6],
      ],
      0,
    ],
  ])("%s", async (_, sent, expected) => {
    const apart = await newLearner();
    for (const [micros, earned] of sent)
      await platform.records.upsertRecords({ records: [reported(apart, micros, earned)] });
    const together = await newLearner();
    const { summary } = await platform.records.upsertRecords({
      records: sent.map(([micros, earned]) => reported(together, micros, earned)),
    });
    expect(await exam(apart)).toBe(expected);
    expect(await exam(together)).toBe(expected);
    expect(summary).toMatchObject({ received: sent.length, written: 1, unchanged: sent.length - 1 });
  });

  it("lead to the last observed state, however they are ordered and batched", async () => {
    const fact = fc.record({
      micros: fc.nat(3),
      earned: fc.integer({ min: 1, max: 9 }),
      withdrawn: fc.boolean(),
    });
    const batches = fc.array(fc.array(fact, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, async (sent) => {
        const username = await newLearner();
        for (const batch of sent) {
          await platform.records.upsertRecords({
            records: batch.map(({ micros, earned, withdrawn }) =>
              reported(username, micros, withdrawn ? "withdrawn" : earned),
            ),
          });
        }
        const last = sent.flat().reduce((known, next) => (next.micros >= known.micros ? next : known));
        expect(await exam(username)).toBe(last.withdrawn ? 0 : last.earned * 10);
      }),
      { numRuns: 50 },
    );
  });

  it("without a time apply from now on, and override earlier observations", async () => {
    const username = await newLearner();
    await platform.records.upsertRecords({ records: [grade(username, { earned: 6 })] });
    await platform.records.upsertRecords({
      records: [observed(grade(username, { earned: 5 }), Date.now() - 60_000)],
    });
    expect(await exam(username)).toBe(60);
    await platform.records.upsertRecords({ records: [grade(username, { earned: 7 })] });
    expect(await exam(username)).toBe(70);
  });

  it("take effect together once the last of them has arrived, in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), async (order) => {
        const username = newUsername();
        const courseKey = `course-v1:Uni+${username}+1`;
        await configure(courseKey);
        const all = [
          learner(username),
          course({ courseKey, gradingPolicy: [{ assignmentType: "Exam", weight: 1 }] }),
          enrollment(username, { learningContextKey: courseKey }),
          grade(username, { courseKey }),
          completion(username, { courseKey }),
        ];
        const isEligible = () =>
          eligibility(username, courseKey).then(
            (entry) => entry?.isEligible,
            (error) => ConnectError.from(error).code,
          );
        for (const index of order) {
          expect(await isEligible()).toBeOneOf([false, Code.NotFound]);
          await platform.records.upsertRecords({ records: [all[index] as RecordInit] });
        }
        expect(await isEligible()).toBe(true);
      }),
      { numRuns: 12 },
    );
  });

  it("may arrive in several overlapping imports at once, and none deadlocks", async () => {
    const usernames = Array.from({ length: 300 }, newUsername);
    const all = usernames.flatMap((username) =>
      [learner, enrollment, grade, completion].map((about) => about(username)),
    );
    const shuffled = () => fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), 1)[0] ?? [];
    const imports = Array.from({ length: 8 }, (_, index) => {
      const order = shuffled().map((record) => observed(record, NOON + index));
      return platform.records.importRecords(
        each({ records: order.slice(0, 600) }, { records: order.slice(600) }),
      );
    });
    for (const { summary } of await Promise.all(imports))
      expect(summary).toMatchObject({ received: 1200, rejected: 0 });
    const { rows } = await platform.service.app.database.knex.raw(
      "select count(*) from completions where username = any(?) and observed_at = to_timestamp(?)",
      [usernames, (NOON + 7) / 1000],
    );
    expect(rows[0].count).toBe(300);
  });
});
