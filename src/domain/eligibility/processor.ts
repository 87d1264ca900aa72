import { z } from "zod";
import type { ConfigurableFunction, Options } from "../configurations/options.js";
import { type Criteria, type RequiredGrades, TOTAL } from "./criteria.js";
import { roundDecimal } from "./round-decimal.js";

/** A retrieval function: turns options into the criteria that a learner must meet in each course. */
export interface Processor extends ConfigurableFunction {
  /**
   * Returns the criteria for options that fit the schema. They must depend on nothing else, because they are
   * cached.
   */
  criteria(options: Options): Criteria;
}

/** Each takes a column, of which PostgreSQL has 1,664; a grading policy names as many. */
const MAX_REQUIRED_GRADES = 100;

const requiredGrades = z
  .record(z.string(), z.number().min(0).max(1))
  .refine((grades) => Object.keys(grades).length > 0, "must name at least one assignment type or Total")
  .refine(
    (grades) => Object.keys(grades).length <= MAX_REQUIRED_GRADES,
    `must name at most ${MAX_REQUIRED_GRADES} grades`,
  )
  .refine(
    (grades) =>
      new Set(Object.keys(grades).map((name) => name.toLowerCase())).size === Object.keys(grades).length,
    "names an assignment type twice (case does not matter)",
  )
  .describe('Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.');

const usePlatformTotal = z
  .boolean()
  .default(false)
  .describe(
    "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.",
  );

const requiredCompletion = z
  .number()
  .min(0)
  .max(1)
  .default(0.9)
  .describe("Fraction 0..1 of the course that must be completed.");

const REQUIRED_GRADES = "required_grades";

const requiredPassed = z
  .boolean()
  .default(false)
  .describe("Whether the platform must consider the course as passed, as course_grade records say.");

const requiredLetter = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .optional()
  .describe(
    'Letter grade of the platform that is required: this one, or a better one in the scale of the course, such as "B".',
  );

/** Requirements about what the platform itself says of a course. */
const ofPlatform = { required_passed: requiredPassed, required_letter: requiredLetter };

const ofGrades = {
  required_grades: requiredGrades.optional(),
  use_platform_total: usePlatformTotal,
  ...ofPlatform,
};

/** Without grades, the platform's verdict must be required: otherwise everybody would be eligible. */
const gradesOrVerdict = {
  path: [REQUIRED_GRADES],
  error: "is missing: require grades, or required_passed or required_letter instead",
};

interface Verdict {
  readonly required_passed: boolean;
  readonly required_letter?: string | undefined;
}

function requiresVerdict({ required_passed, required_letter }: Verdict): boolean {
  return required_passed || required_letter !== undefined;
}

/** The retrieval functions that ship with the service. */
export const builtInProcessors: readonly Processor[] = [
  processor(
    "learning_credentials.processors.retrieve_subsection_grades",
    "Eligible are those who reach the required grades.",
    z
      .strictObject(ofGrades)
      .refine((given) => given.required_grades !== undefined || requiresVerdict(given), gradesOrVerdict),
    (options) => ({
      grades: percentages(options.required_grades, options.use_platform_total),
      ...verdictOf(options),
    }),
  ),
  processor(
    "learning_credentials.processors.retrieve_completions",
    "Eligible are those who complete the required part of the course.",
    z.strictObject({ required_completion: requiredCompletion, ...ofPlatform }),
    (options) => ({ completion: roundDecimal(options.required_completion), ...verdictOf(options) }),
  ),
  processor(
    "learning_credentials.processors.retrieve_completions_and_grades",
    "Eligible are those who complete the required part of the course and reach the required grades.",
    z
      .strictObject({ required_completion: requiredCompletion, ...ofGrades })
      .refine((given) => given.required_grades !== undefined || requiresVerdict(given), gradesOrVerdict),
    (options) => ({
      grades: percentages(options.required_grades, options.use_platform_total),
      completion: roundDecimal(options.required_completion),
      ...verdictOf(options),
    }),
  ),
];

function processor<Shape extends z.ZodRawShape>(
  name: string,
  summary: string,
  options: z.ZodObject<Shape, z.core.$strict>,
  criteria: (options: z.output<z.ZodObject<Shape, z.core.$strict>>) => Criteria,
): Processor {
  return { name, summary, options, criteria: (given) => criteria(options.parse(given)) };
}

function verdictOf({ required_passed, required_letter }: Verdict): Pick<Criteria, "passed" | "letter"> {
  return {
    ...(required_passed && { passed: true }),
    ...(required_letter !== undefined && { letter: required_letter }),
  };
}

function percentages(
  fractions: Record<string, number> | undefined,
  usesPlatformTotal: boolean,
): RequiredGrades {
  const byName = new Map(
    Object.entries(fractions ?? {}).map(([name, fraction]) => [
      name.toLowerCase(),
      roundDecimal(fraction, 2),
    ]),
  );
  const total = byName.get(TOTAL) ?? 0;
  const namesTotal = byName.has(TOTAL);
  byName.delete(TOTAL);
  return { byAssignmentType: byName, total, namesTotal, usesPlatformTotal };
}
