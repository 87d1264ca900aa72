import { create, type JsonObject } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { sentencesOf, toFraction, toPercent } from "#console/requirements/required.js";
import { isNested } from "#console/requirements/tree.js";
import type { ConfigurableFunction } from "#domain/configurations/options.js";
import { builtInProcessors } from "#domain/eligibility/processor.js";
import { languages } from "#foundation/languages/list.js";
import { FunctionSchema } from "#gen/learning_credentials/v1/configuration_pb.js";

const words = await loadChapter("requirements", "en");

const list = new Intl.ListFormat("en", { type: "conjunction" });
const spoken = {
  words,
  percent: (fraction: number) => `${toPercent(fraction)}%`,
  colon: languages.en.colon,
  list: (parts: readonly string[]) => list.format(parts),
};

/** Describes a function as the service does. */
function described({ name, summary, options }: ConfigurableFunction) {
  const optionSchema = z.toJSONSchema(options, { io: "input" }) as JsonObject;
  return create(FunctionSchema, { name, summary, optionSchema });
}

const plugIn: ConfigurableFunction = {
  name: "acme.retrieve_attendance",
  summary: "Eligible are those who came often enough.",
  options: z.object({ times: z.number(), required_grades: z.string().optional() }),
};

const cases: [name: string, options: JsonObject, sentences: string[]][] = [
  [
    "retrieve_subsection_grades",
    { required_grades: { final: 0.6, Total: 0.7 } },
    ["at least 70% in total and 60% in ⁨Final⁩"],
  ],
  [
    "retrieve_subsection_grades",
    { required_grades: { TOTAL: 0.6435 }, use_platform_total: true },
    ["at least 64.35% in total, as computed by the platform"],
  ],
  ["retrieve_subsection_grades", { required_grades: { Total: 0 } }, ["everyone who is enrolled"]],
  ["retrieve_subsection_grades", {}, ["nobody, because nothing is required"]],
  ["retrieve_subsection_grades", { required_passed: true }, ["passed on the platform"]],
  [
    "retrieve_subsection_grades",
    { required_grades: { Total: 0.5 }, required_passed: true, required_letter: "B" },
    ["at least 50% in total · passed on the platform · letter grade ⁨B⁩ or better"],
  ],
  [
    "retrieve_completions",
    { required_completion: 0, required_letter: "Pass" },
    ["letter grade ⁨Pass⁩ or better"],
  ],
  ["retrieve_completions", {}, ["at least 90% of the course completed"]],
  ["retrieve_completions", { required_completion: 0 }, ["everyone who is enrolled"]],
  [
    "retrieve_completions_and_grades",
    { required_grades: { Lab: 0.5 }, steps: { "course-v1:A+B+C": { required_grades: { Lab: 1 } } } },
    [
      "In each course of the path: at least 50% in ⁨Lab⁩ and 90% of the course completed",
      "In ⁨A · B · C⁩: at least 100% in ⁨Lab⁩ and 90% of the course completed",
    ],
  ],
  ["retrieve_attendance", { times: 3 }, ["⁨Eligible are those who came often enough.⁩ times: 3"]],
];

it.each(cases)("%s with %j applies to the learners that the sentence names", (name, options, sentences) => {
  const fn = [...builtInProcessors, plugIn].find((each) => each.name.endsWith(`.${name}`));
  expect(sentencesOf(options, fn && described(fn), spoken)).toEqual(sentences);
});

it("an option's name and value are joined as French joins them", async () => {
  const french = { ...spoken, words: await loadChapter("requirements", "fr"), colon: languages.fr.colon };
  const [said] = sentencesOf({ times: 3 }, described(plugIn), french);
  expect(said).toBe("⁨Eligible are those who came often enough.⁩ times\u00A0: 3");
});

const tree: JsonObject = {
  requirements: {
    any: [
      { completion: 0.5, runs: ["course-v1:A+B+1", "course-v1:A+B+2"] },
      { letter: "B" },
      { passed: true },
    ],
  },
};

it.each([
  [
    "en" as const,
    "any of (at least 50% of the course completed, in ⁨A · B · 1⁩ or ⁨A · B · 2⁩; letter grade ⁨B⁩ or better; passed on the platform)",
  ],
  ["ar" as const, /^أيّ مما يلي \([^,;]*⁩ أو ⁨[^,;]*؛ [^,;]*؛ [^,;]*\)$/],
])("alternatives of a tree are joined as %s joins them", async (tag, sentence) => {
  const fn = builtInProcessors.find((each) => each.name.endsWith(".retrieve_requirements"));
  const inLanguage = { ...spoken, words: await loadChapter("requirements", tag) };
  const [said] = sentencesOf(tree, fn && described(fn), inLanguage);
  if (typeof sentence === "string") expect(said).toBe(sentence);
  else expect(said).toMatch(sentence);
});

it.each<[JsonObject, string]>([
  [{ all: [{ completion: 0.5 }] }, "at least 50% of the course completed"],
  [{ at_least: 1, of: [{ any: [{ all: [{ passed: true }] }] }] }, "passed on the platform"],
  [
    { any: [{ all: [{ letter: "B" }] }, { passed: true }] },
    "any of (letter grade ⁨B⁩ or better; passed on the platform)",
  ],
  [
    { all: [{ grade: { exam: 0.5, Total: 0.6 } }, { passed: true }] },
    "all of (at least 50% in ⁨Exam⁩ and 60% in total; passed on the platform)",
  ],
])("a group of one part reads as that part: %j", (requirements, sentence) => {
  const fn = builtInProcessors.find((each) => each.name.endsWith(".retrieve_requirements"));
  expect(sentencesOf({ requirements }, fn && described(fn), spoken)).toEqual([sentence]);
  expect(isNested(requirements)).toBe(false);
});

it("only groups within groups make a tree nested", () => {
  const pair = { any: [{ passed: true }, { letter: "B" }] };
  expect(isNested({ all: [pair] })).toBe(false);
  expect(isNested({ all: [pair, { passed: true }] })).toBe(true);
  expect(isNested({ all: [{ all: [pair] }, { passed: true }] })).toBe(true);
});

it("percentages of up to six decimals come back as the same fraction, and vice versa", () => {
  const millionths = fc.integer({ min: 0, max: 100_000_000 });
  fc.assert(
    fc.property(millionths, (n) => {
      const percent = Number(`${n}e-6`);
      expect(toPercent(toFraction(percent))).toBe(percent);
      expect(toFraction(toPercent(Number(`${n}e-8`)))).toBe(Number(`${n}e-8`));
    }),
  );
});
