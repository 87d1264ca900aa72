import fc from "fast-check";
import pg from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Cancellation } from "../../src/concurrency/cancellation.js";
import { createFunctions } from "../../src/configurations/functions.js";
import { createProgressLookUp, type LookUpProgress } from "../../src/eligibility/learner-progress.js";
import { listEligibleLearners } from "../../src/eligibility/list-eligible-learners.js";
import { type AskedRequirements, previewEligibility } from "../../src/eligibility/preview-eligibility.js";
import { builtInProcessors } from "../../src/eligibility/processor.js";
import { reportEligibility } from "../../src/eligibility/report-eligibility.js";
import { parseLearningContextKey } from "../../src/learners/learning-context-key.js";
import { givenDatabase } from "../support/database.js";
import {
  type Academy,
  attainedIn,
  contextOf,
  type Grade,
  type InCourse,
  isEligible,
  type Learner,
  loadAcademy,
  type OfferedCredential,
  type Requirement,
} from "./academy.js";

const functions = createFunctions(builtInProcessors, []);
const { signal } = new AbortController();
const db = givenDatabase();
let lookUpProgress: LookUpProgress;
beforeAll(async () => {
  lookUpProgress = createProgressLookUp(db.database);
});

async function listed(configurationId: number): Promise<string[]> {
  const usernames: string[] = [];
  for await (const batch of listEligibleLearners(db.database, functions, configurationId, signal)) {
    usernames.push(...batch);
  }
  return usernames;
}

function reported(academy: Academy, username: string) {
  const key = parseLearningContextKey(contextOf(academy));
  const question = { username, key, retrievalFunc: "", askedBy: "staff-about-self" } as const;
  return reportEligibility(lookUpProgress, functions, question, new Cancellation());
}

/** The same requirements, without a configuration that has them: half as those of a type, half as its own. */
function preview(
  asked: Pick<AskedRequirements, "key" | "username">,
  { retrieval, options }: OfferedCredential,
) {
  const { required_grades: grades, ...others } = options;
  return previewEligibility(db.database.knex, functions, {
    ...asked,
    retrievalFunc: `learning_credentials.processors.${retrieval}`,
    typeOptions: { ...others },
    customOptions: grades ? { required_grades: grades } : {},
  });
}

describe("any academy", () => {
  it("has the same eligible learners in the list, one by one, previewed, and by exact arithmetic", async () => {
    let academies = 0;
    const seen = { eligible: 0, notEligible: 0 };
    await fc.assert(
      fc.asyncProperty(
        anyAcademy.map((make) => make(String(++academies))),
        async (academy) => {
          const configurationIds = await loadAcademy(db.database, academy);
          const lists = await Promise.all(configurationIds.map(listed));
          const reports = await Promise.all(
            academy.learners.map(({ username }) => reported(academy, username)),
          );
          for (const [place, learner] of academy.learners.entries()) {
            const entries = reports[place] ?? [];
            expect(entries.map(({ credential }) => credential.configurationId)).toEqual(configurationIds);
            entries.forEach(({ progress }, index) => {
              const expected = isEligible(academy, learner, academy.credentials[index] as OfferedCredential);
              expect([learner.username, progress.isEligible]).toEqual([learner.username, expected]);
              expect(lists[index]?.includes(learner.username)).toBe(expected);
              expect(progress.missing.length === 0).toBe(expected);
              seen[expected ? "eligible" : "notEligible"]++;
              const { steps = {}, ...general } = academy.credentials[index]?.options ?? {};
              const isOwn = (courseKey: string) => (steps[courseKey] ?? general).use_platform_total === true;
              const context = contextOf(academy);
              if (!academy.path) expectShown(academy, learner, context, progress, isOwn(context));
              for (const step of progress.steps ?? []) {
                expectShown(academy, learner, step.courseKey, step.progress, isOwn(step.courseKey));
              }
            });
          }
          for (const [index, credential] of academy.credentials.entries()) {
            const known = academy.learners.find(({ record }) => record === "kept");
            const asked = {
              key: parseLearningContextKey(contextOf(academy)),
              username: known?.username ?? "",
            };
            const previewed = await preview(asked, credential);
            expect(previewed.eligibleCount).toBe(lists[index]?.length);
            expect(previewed.enrolledCount).toBeGreaterThanOrEqual(previewed.eligibleCount);
            if (known)
              expect(previewed.entry?.progress.isEligible).toBe(isEligible(academy, known, credential));
          }
          expect(lists.flat().length).toBe(
            new Set(lists.flatMap((list, i) => list.map((u) => `${i} ${u}`))).size,
          );
        },
      ),
      { numRuns: 150 },
    );
    // Neither result may be rare, otherwise little was tested.
    expect(seen.eligible).toBeGreaterThan(0.1 * seen.notEligible);
  });
});

/** Expects the figures shown to be those of exact arithmetic. */
function expectShown(
  academy: Academy,
  learner: Learner,
  courseKey: string,
  progress: Awaited<ReturnType<typeof reported>>[number]["progress"],
  usesPlatformTotal: boolean,
) {
  const attained = attainedIn(academy, learner, courseKey);
  const total = usesPlatformTotal ? attained.platformTotal : attained.total;
  for (const { key, value } of progress.currentGrades ?? []) {
    const expected = key === "total" ? total : (attained.grades.get(key) ?? 0n);
    expect([key, value]).toEqual([key, Number(expected) / 1e6]);
  }
  if (progress.currentGrades) expect(progress.currentGrades.at(-1)?.key).toBe("total");
  if (progress.currentCompletion !== undefined) {
    expect(progress.currentCompletion).toBe(Number(attained.completion) / 1e6);
  }
}

const assignmentTypes = ["exam", "homework", "lab", "constructor", "übung 1"];
const assignmentType = fc.constantFrom(...assignmentTypes);
const rarely = fc.integer({ min: 0, max: 11 }).map((n) => n === 0);
const decimals = (max: number, places: number) =>
  fc.integer({ min: 0, max: max * 10 ** places }).map((n) => Number(`${n}e-${places}`));

const grade: fc.Arbitrary<Grade> = fc.record({
  type: assignmentType,
  earned: fc.oneof(
    fc.integer({ min: 0, max: 15 }),
    decimals(12, 9),
    fc.constantFrom(5.99999995, 5.999999949, 1e-7),
  ),
  possible: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(10, 3, 7) }, fc.constantFrom(0, 12, 0.1, 6.5)),
  isWithdrawn: rarely,
});

const enrollment = fc.oneof(
  { weight: 12, arbitrary: fc.constant("active" as const) },
  fc.constantFrom("inactive" as const, "withdrawn" as const, "none" as const),
);

const inCourse: fc.Arbitrary<InCourse> = fc.record(
  {
    enrollment,
    grades: fc.array(grade, { minLength: 2, maxLength: 7 }),
    completion: fc.record({
      percent: fc.oneof(fc.constantFrom(1, 0.9, 0.5, 1 / 3, 0.8999995, 0.89999949), decimals(1, 8)),
      isWithdrawn: rarely,
    }),
    courseGrade: fc.record({
      percent: fc.oneof(fc.constantFrom(1, 0.6, 1 / 3, 0.599999995, 0.5999999949), decimals(1, 8)),
      isWithdrawn: rarely,
    }),
  },
  { requiredKeys: ["enrollment", "grades"] },
);

const fraction = fc.oneof(fc.constantFrom(0, 0, 0.1, 0.25, 0.5, 0.6, 1 / 3), decimals(1, 8));

const requiredGrades = fc
  .uniqueArray(
    fc.tuple(fc.oneof(fc.constantFrom("total", "total"), assignmentType), fraction, fc.boolean()),
    {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 2,
    },
  )
  .map((grades) =>
    Object.fromEntries(grades.map(([name, value, loud]) => [loud ? name.toUpperCase() : name, value])),
  );

const requirementOf = {
  retrieve_subsection_grades: fc.record(
    { required_grades: requiredGrades, use_platform_total: fc.boolean() },
    { requiredKeys: ["required_grades"] },
  ),
  retrieve_completions: fc.record({ required_completion: fraction }, { requiredKeys: [] }),
  retrieve_completions_and_grades: fc.record(
    { required_grades: requiredGrades, required_completion: fraction, use_platform_total: fc.boolean() },
    { requiredKeys: ["required_grades"] },
  ),
} satisfies Record<OfferedCredential["retrieval"], fc.Arbitrary<Requirement>>;

type Credential = OfferedCredential & { own: (Requirement | null)[] };

/** `own` has options for the steps of some courses; a path may have no options for the others. */
const credential: fc.Arbitrary<Credential> = fc
  .constantFrom(...(Object.keys(requirementOf) as OfferedCredential["retrieval"][]))
  .chain((retrieval) => {
    const requirement: fc.Arbitrary<Requirement> = requirementOf[retrieval];
    return fc.record({
      retrieval: fc.constant(retrieval),
      options: fc.oneof({ weight: 5, arbitrary: requirement }, fc.constant({})),
      own: fc.array(fc.option(requirement), { minLength: 5, maxLength: 5 }),
    });
  });

/** An academy whose keys and names contain this text, so that many fit into one database. */
const anyAcademy: fc.Arbitrary<(name: string) => Academy> = fc
  .record({
    courses: fc.array(
      fc.record({
        isWithdrawn: rarely,
        policy: fc.uniqueArray(
          fc.tuple(
            assignmentType,
            fc.oneof(fc.constantFrom(0.07, 0.13, 0.22, 0.58, 0.5, 1, 0, 1 / 3), decimals(1, 6)),
          ),
          { selector: ([type]) => type, maxLength: 4 },
        ),
      }),
      { minLength: 5, maxLength: 5 },
    ),
    steps: fc.option(
      fc.oneof(
        { weight: 3, arbitrary: fc.shuffledSubarray([0, 1], { minLength: 1 }) },
        fc.shuffledSubarray([0, 1, 2, 3, 4]),
      ),
    ),
    pathIsWithdrawn: rarely,
    learners: fc.array(
      fc.record({
        record: fc.oneof(
          { weight: 15, arbitrary: fc.constant("kept" as const) },
          fc.constantFrom("withdrawn" as const, "none" as const),
        ),
        inPath: enrollment,
        courses: fc.array(inCourse, { minLength: 5, maxLength: 5 }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    credentials: fc.array(credential, { minLength: 1, maxLength: 3 }),
  })
  .map(({ courses, steps, pathIsWithdrawn, learners, credentials }) => (name: string): Academy => {
    const key = (index: number) => `course-v1:Academy+${name}+${index}`;
    const known = steps ? courses : courses.slice(0, 1);
    const byCourse = <T>(items: readonly T[]) =>
      Object.fromEntries(known.map((_, index) => [key(index), items[index] as T]));
    return {
      courses: known.map((course, index) => ({ ...course, key: key(index) })),
      ...(steps && {
        path: { key: `path-v1:Academy+${name}+1+1`, isWithdrawn: pathIsWithdrawn, steps: steps.map(key) },
      }),
      learners: learners.map(({ record, inPath, courses }, index) => ({
        username: `${name}-${index}`,
        record,
        inPath,
        in: byCourse(courses),
      })),
      credentials: credentials.map(({ retrieval, options, own }) => {
        const ownOf = Object.entries(byCourse(own)).filter(([, requirement]) => requirement !== null);
        return {
          retrieval,
          options: steps
            ? { ...options, steps: Object.fromEntries(ownOf) as Record<string, Requirement> }
            : options,
        };
      }),
    };
  });

describe("a learner on the boundary", () => {
  const four = ["exam", "homework", "lab", "quiz"];
  const weights = [0.07, 0.13, 0.22, 0.58];
  const policyOfFour = four.map((type, index) => [type, weights[index] ?? 0] as const);
  const points = (type: string, earned: number, possible: number) => ({
    type,
    earned,
    possible,
    isWithdrawn: false,
  });
  const exam = [["exam", 1]] as const;

  type Row = [
    what: string,
    policy: Course["policy"],
    grades: Grade[],
    required: Requirement["required_grades"],
    shown: Record<string, number>,
    isEligible: boolean,
  ];
  type Course = Academy["courses"][number];

  it.each<Row>([
    [
      "rounds up to 60",
      exam,
      [points("exam", 59.9999995, 100)],
      { Total: 0.6 },
      { exam: 60, total: 60 },
      true,
    ],
    [
      "rounds down below 60",
      exam,
      [points("exam", 59.99999949, 100)],
      { Exam: 0.6 },
      { exam: 59.999999, total: 59.999999 },
      false,
    ],
    [
      "has 60 in each of four weighted types",
      policyOfFour,
      four.map((type) => points(type, 3, 5)),
      { Total: 0.6 },
      { total: 60 },
      true,
    ],
    [
      "has 60 from a third and two thirds",
      [
        ["a", 0.6],
        ["b", 0.6],
      ],
      [points("a", 1, 3), points("b", 2, 3)],
      { Total: 0.6 },
      { a: 33.333333, b: 66.666667, total: 60 },
      true,
    ],
    [
      "has 0.1 + 0.2 of 0.3 points",
      exam,
      [points("exam", 0.1, 0.1), points("exam", 0.2, 0.2)],
      { Exam: 1 },
      { exam: 100 },
      true,
    ],
    [
      "is a millionth short",
      exam,
      [points("exam", 59.999999, 100)],
      { Exam: 0.6 },
      { exam: 59.999999 },
      false,
    ],
    [
      "makes up for it by points beyond the possible",
      policyOfFour,
      [points("quiz", 65, 58), points("exam", 0, 10)],
      { Total: 0.65 },
      { quiz: 112.068966, exam: 0, total: 65 },
      true,
    ],
    [
      "makes up for it by a subsection of 0 possible points",
      exam,
      [points("exam", 55, 100), points("exam", 5, 0)],
      { Exam: 0.6 },
      { exam: 60 },
      true,
    ],
    [
      "has points only where 0 are possible",
      exam,
      [points("exam", 5, 0)],
      { Exam: 0 },
      { exam: 0, total: 0 },
      false,
    ],
    [
      "attempted it for nothing, and nothing is required",
      exam,
      [points("exam", 0, 10)],
      { Exam: 0 },
      { exam: 0 },
      true,
    ],
    [
      "attempted nothing, and only a total of 0 is required",
      exam,
      [],
      { Total: 0 },
      { exam: 0, total: 0 },
      true,
    ],
    [
      "reaches a type that the policy does not count",
      exam,
      [points("forum", 9, 10)],
      { Forum: 0.9 },
      { exam: 0, forum: 90, total: 0 },
      true,
    ],
    [
      "has a total only of what the policy counts",
      exam,
      [points("forum", 9, 10)],
      { Total: 0.1 },
      { total: 0 },
      false,
    ],
    [
      "is measured without any policy",
      [],
      [points("exam", 9, 10)],
      { Total: 0.1 },
      { exam: 90, total: 0 },
      false,
    ],
    [
      "did not attempt a type of a strange name",
      [["constructor", 1]],
      [],
      { Constructor: 0 },
      { constructor: 0, total: 0 },
      false,
    ],
    [
      "is a millionth below a total of nine decimals",
      exam,
      [points("exam", 12.345678, 100)],
      { Total: 0.123456785 },
      { total: 12.345678 },
      false,
    ],
    [
      "has just reached a total of nine decimals",
      exam,
      [points("exam", 12.3456785, 100)],
      { Total: 0.123456785, Exam: 0.123456785 },
      { total: 12.345679, exam: 12.345679 },
      true,
    ],
    [
      "requires what no grade has",
      exam,
      [points("exam", 1, 1)],
      { Other: 0.1 },
      { exam: 100, total: 100 },
      false,
    ],
  ])("who %s", async (what, policy, grades, required, shown, expected) => {
    const key = `course-v1:Boundary+${what.replace(/[^a-z0-9]/gi, "-")}+1`;
    const username = `who ${what}`;
    const academy: Academy = {
      courses: [{ key, isWithdrawn: false, policy }],
      learners: [
        { username, record: "kept", inPath: "none", in: { [key]: { enrollment: "active", grades } } },
      ],
      credentials: [
        { retrieval: "retrieve_subsection_grades", options: { required_grades: required ?? {} } },
      ],
    };
    const [configurationId = 0] = await loadAcademy(db.database, academy);
    const [entry] = await reported(academy, username);
    expect(entry?.progress.isEligible).toBe(expected);
    expect(await listed(configurationId)).toEqual(expected ? [username] : []);
    const current = Object.fromEntries(
      (entry?.progress.currentGrades ?? []).map(({ key, value }) => [key, value]),
    );
    expect(current).toMatchObject(shown);
  });

  it.each([
    [0.8999995, 0.9, 0.9, true],
    [0.89999949, 0.899999, 0.9, false],
    [0.30000000000000004, 0.3, 0.3, true],
    [1 / 3, 0.333333, 1 / 3, true],
    [0.8999995, 0.9, 0.8999995, true],
    [0.899999, 0.899999, 0.8999995, false],
    [0.0000005, 0.000001, 5e-7, true],
    [0.0000004, 0, 5e-7, false],
    [undefined, 0, 0, true],
    [undefined, 0, 0.0000001, true],
    [undefined, 0, 0.000001, false],
  ])("who completed %s, shown as %s, where %s is required", async (percent, shown, required, expected) => {
    const key = `course-v1:Completed+${percent}+${required}`;
    const completion = percent === undefined ? {} : { completion: { percent, isWithdrawn: false } };
    const username = `${percent} of ${required}`;
    const academy: Academy = {
      courses: [],
      learners: [
        {
          username,
          record: "kept",
          inPath: "none",
          in: { [key]: { enrollment: "active", grades: [], ...completion } },
        },
      ],
      credentials: [{ retrieval: "retrieve_completions", options: { required_completion: required } }],
    };
    const [configurationId = 0] = await loadAcademy(db.database, {
      ...academy,
      courses: [{ key, isWithdrawn: false, policy: [] }],
    });
    const [entry] = await reported(
      { ...academy, courses: [{ key, isWithdrawn: false, policy: [] }] },
      username,
    );
    expect([entry?.progress.isEligible, entry?.progress.currentCompletion]).toEqual([expected, shown]);
    expect(await listed(configurationId)).toEqual(expected ? [username] : []);
  });
});

describe("one learner's response", () => {
  it.each([1, 50])("costs one query over %i configurations", async (count) => {
    const key = `course-v1:Many+${count}+1`;
    const academy: Academy = {
      courses: [{ key, isWithdrawn: false, policy: [["exam", 1]] }],
      learners: [],
      credentials: Array.from({ length: count }, () => ({
        retrieval: "retrieve_completions_and_grades",
        options: { required_grades: { Exam: 0.5 } },
      })),
    };
    await loadAcademy(db.database, academy);
    const connection = pg.Connection.prototype as unknown as { execute(): void; query(): void };
    const asked = [vi.spyOn(connection, "execute"), vi.spyOn(connection, "query")];
    expect(await reported(academy, "nobody")).toHaveLength(count);
    expect(asked.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
    for (const spy of asked) spy.mockRestore();
  });
});

describe("a large learning path", () => {
  it("of 200 steps is answered long before the statement timeout", async () => {
    const keys = Array.from({ length: 200 }, (_, index) => `course-v1:Long+${index}+1`);
    const grades = [{ type: "exam", earned: 3, possible: 5, isWithdrawn: false }];
    const completion = { percent: 1, isWithdrawn: false };
    const policy = Array.from(
      { length: 10 },
      (_, index) => [index === 0 ? "exam" : `t${index}`, 0.01] as const,
    );
    const academy: Academy = {
      courses: keys.map((key) => ({ key, isWithdrawn: false, policy })),
      path: { key: "path-v1:Long+1+1+1", isWithdrawn: false, steps: keys },
      learners: [
        {
          username: "patient",
          record: "kept",
          inPath: "active",
          in: Object.fromEntries(
            keys.map((key) => [key, { enrollment: "active" as const, grades, completion }]),
          ),
        },
      ],
      credentials: [
        {
          retrieval: "retrieve_completions_and_grades",
          options: { required_grades: { Exam: 0.6, Total: 0.006 } },
        },
      ],
    };
    const [configurationId = 0] = await loadAcademy(db.database, academy);
    const [entry] = await reported(academy, "patient");
    expect(entry?.progress.missing).toEqual([]);
    expect(await listed(configurationId)).toEqual(["patient"]);
  });
});
