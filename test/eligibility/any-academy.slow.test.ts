import fc from "fast-check";
import { describe, expect, it } from "vitest";
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

import { givenAcademies } from "./given-academies.js";

const { db, listed, reported, previewed } = givenAcademies();

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
            const found = await previewed(academy, credential, known?.username ?? "");
            expect(found.eligibleCount).toBe(lists[index]?.length);
            expect(found.enrolledCount).toBeGreaterThanOrEqual(found.eligibleCount);
            if (known) expect(found.entry?.progress.isEligible).toBe(isEligible(academy, known, credential));
          }
          expect(lists.flat().length).toBe(
            new Set(lists.flatMap((list, i) => list.map((u) => `${i} ${u}`))).size,
          );
        },
      ),
      { numRuns: 150 * Number(process.env.FUZZ_RUNS ?? 1) },
    );
    // If either result were rare, the test would check little.
    expect(seen.eligible).toBeGreaterThan(0.1 * seen.notEligible);
  });
});

/** Expects that the figures shown equal those of exact arithmetic. */
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
  if (progress.requiredPassed) expect(progress.currentPassed ?? null).toBe(attained.passed);
  if (progress.requiredLetter !== undefined) {
    expect(progress.currentLetter ?? "").toBe(attained.letter);
    expect(progress.acceptedLetters).toContain(progress.requiredLetter);
  }
  if (progress.currentCompletion !== undefined) {
    expect(progress.currentCompletion).toBe(Number(attained.completion) / 1e6);
  }
}

const assignmentTypes = ["exam", "homework", "lab", "constructor", "übung 1"];
const assignmentType = fc.constantFrom(...assignmentTypes);
const throttledLog = fc.integer({ min: 0, max: 11 }).map((n) => n === 0);
const decimals = (max: number, places: number) =>
  fc.integer({ min: 0, max: max * 10 ** places }).map((n) => Number(`${n}e-${places}`));

const letters = ["A+", "A", "B", "b", "C"];

const grade: fc.Arbitrary<Grade> = fc.record({
  type: assignmentType,
  earned: fc.oneof(
    fc.integer({ min: 0, max: 15 }),
    decimals(12, 9),
    fc.constantFrom(5.99999995, 5.999999949, 1e-7),
  ),
  possible: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(10, 3, 7) }, fc.constantFrom(0, 12, 0.1, 6.5)),
  isWithdrawn: throttledLog,
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
      isWithdrawn: throttledLog,
    }),
    courseGrade: fc.record({
      percent: fc.option(fc.oneof(fc.constantFrom(1, 0.6, 1 / 3, 0.599999995, 0.5999999949), decimals(1, 8))),
      passed: fc.constantFrom(true, true, false, null),
      letter: fc.constantFrom(...letters, ...letters, "", "Pass"),
      isWithdrawn: throttledLog,
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

/** Requirements on the verdict. They are rare, so that other requirements decide as well. */
const verdict = {
  required_passed: fc.constantFrom(true, false, false),
  required_letter: fc.constantFrom("B", "C", "Pass"),
};
const sometimes = fc.record(verdict, { requiredKeys: [] }).chain((own) => fc.constantFrom({}, {}, own));
const withVerdict = <T extends object>(own: fc.Arbitrary<T>) =>
  fc.tuple(own, sometimes).map(([some, more]) => ({ ...some, ...more }));

const requirementOf = {
  retrieve_subsection_grades: fc.oneof(
    {
      weight: 4,
      arbitrary: withVerdict(
        fc.record(
          { required_grades: requiredGrades, use_platform_total: fc.boolean() },
          { requiredKeys: ["required_grades"] },
        ),
      ),
    },
    fc.record(verdict, { requiredKeys: [] }),
  ),
  retrieve_completions: withVerdict(fc.record({ required_completion: fraction }, { requiredKeys: [] })),
  retrieve_completions_and_grades: withVerdict(
    fc.record(
      { required_grades: requiredGrades, required_completion: fraction, use_platform_total: fc.boolean() },
      { requiredKeys: ["required_grades"] },
    ),
  ),
} satisfies Record<OfferedCredential["retrieval"], fc.Arbitrary<Requirement>>;

type Credential = OfferedCredential & { own: (Requirement | null)[] };

/** `own` contains options for the steps in some courses. For the other courses, a path may have no options. */
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

/** An academy whose keys and names contain a given text. Many academies therefore fit into one database. */
const anyAcademy: fc.Arbitrary<(name: string) => Academy> = fc
  .record({
    courses: fc.array(
      fc.record({
        isWithdrawn: throttledLog,
        letterGrades: fc.oneof(fc.subarray(letters), fc.constant(letters)),
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
    pathIsWithdrawn: throttledLog,
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
