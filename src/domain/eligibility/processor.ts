import { z } from "zod";
import { help } from "#foundation/languages/option-help.js";
import { REQUIREMENTS } from "#foundation/text/merge-options.js";
import type { ConfigurableFunction, Options } from "../configurations/options.js";
import type { Criteria } from "./criteria.js";
import { linksOf } from "./links-of-requirement.js";
import {
  letterGrade,
  percentages,
  requiredFraction,
  requiredGrades,
  usePlatformTotal,
} from "./required-results.js";
import { type Requirement, readRequirement } from "./requirement.js";
import { roundDecimal } from "./round-decimal.js";

export type Processor = CourseProcessor | TreeProcessor;

/** A processor whose criteria apply to a course, or to each course of a learning path. */
export interface CourseProcessor extends ConfigurableFunction {
  /** The result is cached, so it must depend only on the options, which match the schema. */
  criteria(options: Options): Criteria;
}

/** A processor whose requirements are a tree, which names courses and credentials itself. */
export interface TreeProcessor extends ConfigurableFunction {
  /** The result is cached, so it must depend only on the options, which match the schema. */
  requirement(options: Options): Requirement;
}

const requiredCompletion = requiredFraction.default(0.9).meta(help("required_completion"));

const REQUIRED_GRADES = "required_grades";

const requiredPassed = z.boolean().default(false).meta(help("required_passed"));

const requiredLetter = letterGrade.optional().meta(help("required_letter"));

/** Requirements for the platform's own verdict. */
const ofPlatform = { required_passed: requiredPassed, required_letter: requiredLetter };

const ofGrades = {
  required_grades: requiredGrades.optional(),
  use_platform_total: usePlatformTotal,
  ...ofPlatform,
};

/** The error if neither grades nor the platform's verdict are required, because everyone would then be eligible. */
const gradesOrVerdict = {
  path: [REQUIRED_GRADES],
  error: "is missing: set it, or required_passed or required_letter",
};

interface Verdict {
  readonly required_passed: boolean;
  readonly required_letter?: string | undefined;
}

function requiresVerdict({ required_passed, required_letter }: Verdict): boolean {
  return required_passed || required_letter !== undefined;
}

const requirements = z
  .record(z.string(), z.unknown())
  .superRefine((tree, context) => {
    readRequirement(tree, (path, message) => context.addIssue({ code: "custom", path: [...path], message }));
  })
  .meta(help("requirements"));

const requirementsProcessor: TreeProcessor = {
  name: "learning_credentials.processors.retrieve_requirements",
  summary:
    "Learners are eligible if they meet requirements made of parts: all, any, or at least some of them.",
  options: z.strictObject({ [REQUIREMENTS]: requirements }),
  requirement,
  linksOf: (options, learningContextKey) => linksOf(requirement(options), learningContextKey),
};

function requirement(options: Options): Requirement {
  const read = readRequirement(options[REQUIREMENTS], () => {});
  if (!read) throw new Error("the options don't fit the schema");
  return read;
}

export const builtInProcessors: readonly Processor[] = [
  processor(
    "learning_credentials.processors.retrieve_subsection_grades",
    "Learners are eligible if they reach the required grades.",
    z
      .strictObject(ofGrades)
      .refine(
        (candidate) => candidate.required_grades !== undefined || requiresVerdict(candidate),
        gradesOrVerdict,
      ),
    (options) => ({
      grades: percentages(options.required_grades, options.use_platform_total),
      ...verdictOf(options),
    }),
  ),
  processor(
    "learning_credentials.processors.retrieve_completions",
    "Learners are eligible if they complete the required part of the course.",
    z.strictObject({ required_completion: requiredCompletion, ...ofPlatform }),
    (options) => ({ completion: roundDecimal(options.required_completion), ...verdictOf(options) }),
  ),
  processor(
    "learning_credentials.processors.retrieve_completions_and_grades",
    "Learners are eligible if they complete the required part of the course and reach the required grades.",
    z
      .strictObject({ required_completion: requiredCompletion, ...ofGrades })
      .refine(
        (candidate) => candidate.required_grades !== undefined || requiresVerdict(candidate),
        gradesOrVerdict,
      ),
    (options) => ({
      grades: percentages(options.required_grades, options.use_platform_total),
      completion: roundDecimal(options.required_completion),
      ...verdictOf(options),
    }),
  ),
  requirementsProcessor,
];

function processor<Shape extends z.ZodRawShape>(
  name: string,
  summary: string,
  options: z.ZodObject<Shape, z.core.$strict>,
  criteria: (options: z.output<z.ZodObject<Shape, z.core.$strict>>) => Criteria,
): CourseProcessor {
  return { name, summary, options, criteria: (candidate) => criteria(options.parse(candidate)) };
}

function verdictOf({ required_passed, required_letter }: Verdict): Pick<Criteria, "passed" | "letter"> {
  return {
    ...(required_passed && { passed: true }),
    ...(required_letter !== undefined && { letter: required_letter }),
  };
}
