import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { type Academy, type Grade, loadAcademy, type Requirement } from "./academy.js";

import { givenAcademies } from "./given-academies.js";

const { db, listed, reported } = givenAcademies();

describe("a learner at the boundary", () => {
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
    const requested = [vi.spyOn(connection, "execute"), vi.spyOn(connection, "query")];
    expect(await reported(academy, "nobody")).toHaveLength(count);
    expect(requested.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
    for (const spy of requested) spy.mockRestore();
  });
});

describe("a large learning path", () => {
  it("of 200 steps gets a response long before the statement timeout", async () => {
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
