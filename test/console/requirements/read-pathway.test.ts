import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { MAX_PATHWAY_SIZE, readPathway } from "#console/requirements/read-pathway.js";
import { isShowable, partKindOf, partsOf } from "#console/requirements/tree.js";
import { readRequirement } from "#domain/eligibility/requirement.js";
import { languageTags } from "#foundation/languages/list.js";

const { faults: words } = await loadChapter("pathways", "en");

const read = (pathway: unknown, maxLeaves = 200) => {
  const text = typeof pathway === "string" ? pathway : JSON.stringify(pathway);
  return readPathway(text, words, maxLeaves);
};

/** Returns the errors of a pathway, without bidirectional isolates. */
function faultsOf(pathway: unknown, maxLeaves?: number): readonly string[] {
  const found = read(pathway, maxLeaves);
  return "faults" in found ? found.faults.map((fault) => fault.replace(/[\u2068\u2069]/g, "")) : [];
}

const run = (name: string) => `course-v1:Uni+${name}`;
const course = (key: string, ...runs: string[]) => ({
  key: `Uni+${key}`,
  title: key,
  content_type: "course",
  course_runs: runs.map((name) => ({ key: run(`${key}+${name}`) })),
});
const step = (min_requirement: unknown, courses: unknown, programs: unknown = []) => ({
  uuid: "9d91b42a-f3e4-461a-b9e1-e53a4fc927ed",
  min_requirement,
  courses,
  programs,
});
const pathway = (...steps: unknown[]) => ({
  id: 1,
  uuid: "6b8742ce-f294-4674-aacb-34fbf75249de",
  title: "Journey to comics",
  status: "active",
  banner_image: "",
  card_image: "",
  overview: "<p>All about comics</p>",
  steps,
});
const program = (title: string, courses: unknown) => ({
  uuid: "1f301a72-f344-4a31-9e9a-e0b04d8d86b2",
  title,
  short_description: "",
  card_image_url: null,
  content_type: "program",
  courses,
});

describe("a learner pathway of Open edX", () => {
  it("becomes a tree: its steps, at least so many items of each, any run of a course, all courses of a program", () => {
    const drawing = program("Drawing", [course("Ink", "1"), course("Paint", "1", "2")]);
    const found = read(
      pathway(
        step(1, [course("Intro", "2025", "2026")]),
        step(1, [course("A", "1"), course("B", "1")]),
        step(2, [course("C", "1"), course("D", "1")], [drawing]),
      ),
    );
    expect(found).toEqual({
      title: "Journey to comics",
      tree: {
        all: [
          { passed: true, runs: [run("Intro+2025"), run("Intro+2026")] },
          {
            any: [
              { passed: true, course: run("A+1") },
              { passed: true, course: run("B+1") },
            ],
          },
          {
            at_least: 2,
            of: [
              { passed: true, course: run("C+1") },
              { passed: true, course: run("D+1") },
              {
                all: [
                  { passed: true, course: run("Ink+1") },
                  { passed: true, runs: [run("Paint+1"), run("Paint+2")] },
                ],
              },
            ],
          },
        ],
      },
    });
  });

  const one = course("A", "1");
  it.each<[string, unknown, string]>([
    ["nothing", " ", "Choose a file, or paste the text of a pathway."],
    ["text", "<html>", "This isn’t valid JSON: "],
    ["JSON that is cut off", JSON.stringify(pathway(step(1, [one]))).slice(0, -3), "This isn’t valid JSON: "],
    [
      "two members of one name",
      '{"steps": [{"min_requirement": 1, "min_requirement": 2}]}',
      'This isn’t valid JSON: An object has two members named "min_requirement".',
    ],
    ["deep nesting", "[".repeat(500_000), "This isn’t valid JSON: "],
    ["deep nesting of valid JSON", `${"[".repeat(9000)}${"]".repeat(9000)}`, "This isn’t a learner pathway"],
    ["null", "null", "This isn’t a learner pathway"],
    ["a list of pathways", { count: 1, results: [pathway(step(1, [one]))] }, "This isn’t a learner pathway"],
    ["steps that are no list", { steps: { 0: {} } }, "This isn’t a learner pathway"],
    ["no steps", pathway(), "This isn’t a learner pathway"],
    ["a step that is no object", pathway(null), "Step 1 has no courses or programs."],
    ["courses that are no list", pathway(step(1, "A")), "Step 1: “courses” isn’t a list."],
    ["blocks", pathway({ ...step(1, [one]), blocks: [{}] }), "Step 1 has “blocks”, which can’t be imported."],
    ["no count", pathway(step(undefined, [one])), "Step 1: “min_requirement” isn’t a whole number"],
    ["a count of 0", pathway(step(0, [one])), "Step 1: “min_requirement” isn’t a whole number"],
    ["a text as count", pathway(step("1", [one])), "Step 1: “min_requirement” isn’t a whole number"],
    [
      "more required than listed",
      pathway(step(1, [one]), step(3, [one, course("B", "1")])),
      "Step 2 requires 3 items, but lists only 2. It may also require parts of courses, which aren’t exported.",
    ],
    ["a course twice", pathway(step(2, [one, one])), "Step 1 lists A (Uni+A) twice."],
    [
      "a course twice in a program",
      pathway(step(1, [], [program("P", [one, one])])),
      "Step 1 lists A (Uni+A) twice.",
    ],
    [
      "no runs",
      pathway(step(1, [course("A")])),
      "Step 1: the course A (Uni+A) has no published editions, so nobody can pass it.",
    ],
    ["a course that is no object", pathway(step(1, [7])), "Step 1: the course 1 has no published editions"],
    [
      "a run with a key of the first format",
      pathway(step(1, [{ ...one, course_runs: [{ key: "edX/DemoX/2014" }] }])),
      "Step 1: the course A (Uni+A) has an edition with an invalid key: edX/DemoX/2014",
    ],
    ["a run without a key", pathway(step(1, [{ ...one, course_runs: [null] }])), "with an invalid key: –"],
    [
      "a program without courses",
      pathway(step(1, [], [program("P", [])])),
      "the program P lists no courses.",
    ],
    [
      "a program of an older version",
      pathway(step(1, [], [{ uuid: "1f301a72-f344-4a31-9e9a-e0b04d8d86b2" }])),
      "the program 1f301a72-f344-4a31-9e9a-e0b04d8d86b2 lists no courses.",
    ],
  ])("is refused by name with %s", (_, given, fault) => {
    expect(faultsOf(given)).toContainEqual(expect.stringContaining(fault));
  });

  it("is refused with more than fits, and lists at most 20 errors", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => course(`C${at}`, "1"));
    expect(faultsOf(pathway(step(1, many(200))))).toEqual([]);
    expect(faultsOf(pathway(step(1, many(201))))).toEqual([
      "The pathway has 201 courses; there is room for 200 more requirements.",
    ]);
    expect(faultsOf(pathway(step(1, many(3))), 2)).toHaveLength(1);
    const runs = Array.from({ length: 501 }, (_, at) => String(at));
    expect(faultsOf(pathway(step(1, [course("A", ...runs)])))).toEqual([
      "The pathway has 501 course editions; at most 500 are possible.",
    ]);
    expect(faultsOf(pathway(...Array.from({ length: 1000 }, () => ({}))))).toHaveLength(20);
    expect(faultsOf({ ...pathway(step(1, [one])), overview: "x".repeat(MAX_PATHWAY_SIZE) })).toEqual([
      "A pathway has at most 2 MB.",
    ]);
  });

  it("is refused in every language", async () => {
    for (const tag of languageTags) {
      const { faults } = await loadChapter("pathways", tag);
      const found = readPathway(JSON.stringify(pathway(step(3, [course("A")]))), faults, 200);
      expect("faults" in found && found.faults.every((fault) => fault.includes("1"))).toBe(true);
    }
  });
});

describe("any learner pathway", () => {
  const runs = fc.uniqueArray(fc.constantFrom("1", "2", "3"), { minLength: 1 });
  const anyCourse = fc
    .tuple(fc.constantFrom("A", "B", "C", "D", "E"), runs)
    .map(([key, of]) => course(key, ...of));
  const courses = (minLength: number) =>
    fc.uniqueArray(anyCourse, { selector: ({ key }) => key, minLength, maxLength: 4 });
  const programs = fc
    .array(courses(1), { maxLength: 2 })
    .map((each) => each.map((of, at) => ({ ...program(`P${at}`, of), uuid: `${at}` })));
  const anyStep = fc
    .tuple(courses(1), programs, fc.nat())
    .map(([of, others, n]) => step((n % (of.length + others.length)) + 1, of, others));
  type Course = ReturnType<typeof course>;

  it("is met with the same results as its tree, which the service and the form accept", () => {
    const all = ["A", "B", "C", "D", "E"].flatMap((key) =>
      ["1", "2", "3"].map((name) => run(`${key}+${name}`)),
    );
    const seen = { met: 0, unmet: 0 };
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 4 }), fc.subarray(all), (steps, passed) => {
        const found = read(pathway(...steps));
        const tree = "tree" in found ? found.tree : {};
        expect(isShowable(tree)).toBe(true);
        expect(readRequirement(tree, (path, message) => expect([path, message]).toEqual([]))).toBeDefined();
        const isPassed = ({ course_runs }: Course) => course_runs.some(({ key }) => passed.includes(key));
        const expected = steps.every(({ min_requirement, courses: own, programs: others }) => {
          const met = [
            ...(own as Course[]).map(isPassed),
            ...(others as { courses: Course[] }[]).map((each) => each.courses.every(isPassed)),
          ].filter(Boolean);
          return met.length >= Number(min_requirement);
        });
        expect(isMet(tree, passed)).toBe(expected);
        seen[expected ? "met" : "unmet"]++;
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.met, seen.unmet)).toBeGreaterThan(50);
  });

  function isMet(part: JsonObject, passed: readonly string[]): boolean {
    const met = partsOf(part).filter((each) => isMet(each, passed)).length;
    switch (partKindOf(part)) {
      case "all":
        return met === partsOf(part).length;
      case "any":
        return met > 0;
      case "at_least":
        return met >= Number(part.at_least);
      default:
        return [part.course, part.runs].flat().some((key) => passed.includes(String(key)));
    }
  }

  it("of any JSON is read or refused, and never throws", () => {
    const name = fc.constantFrom(
      "steps",
      "courses",
      "programs",
      "course_runs",
      "key",
      "title",
      "min_requirement",
    );
    const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom<JsonValue>(null, true, 1, 2, "", "A", run("A+1"), "__proto__"),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(fc.oneof(name, name, fc.string()), tie("json"), {
          maxKeys: 5,
        }) as fc.Arbitrary<JsonObject>,
      ),
    }));
    fc.assert(
      fc.property(fc.array(json), (steps) => {
        const found = read({ steps });
        if ("tree" in found) expect(readRequirement(found.tree, () => {})).toBeDefined();
        else expect(found.faults.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});
