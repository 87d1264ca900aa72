import { z } from "zod";
import type { FunctionWithOptions, Options } from "#formats/rendering/generator.js";
import { invalid, invalidField, printable, quoted, wrongField } from "#foundation/errors.js";
import { describeIssues } from "#foundation/text/describe-issues.js";
import { isObject } from "#foundation/text/is-object.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { type LearningContextKey, parseCourseKey } from "../learners/learning-context-key.js";
import { emailOptions } from "./email-text-option.js";
import { gradingScaleOptions } from "./grading-scale-option.js";
import { issueWhenEarnedOptions } from "./issue-when-earned-option.js";
import { OPEN_BADGE, openBadgeOption } from "./open-badge-option.js";
import { publicFactsOptions } from "./public-facts-option.js";
import { validityOptions } from "./validity-options.js";

/** A course whose results are required, or a credential that the learner must hold. */
export interface RequirementLink {
  /**
   * The course whose result is required, or the context of the required credential. Null if a credential of any context
   * will do, or if `heldConfigurationId` determines the context.
   */
  readonly contextKey: string | null;
  readonly heldTypeId: number | null;
  readonly heldConfigurationId: number | null;
}

export type { Options };

export interface ConfigurableFunction extends FunctionWithOptions {
  /** Lists the courses and credentials that valid options require. Functions without this method require none. */
  linksOf?(options: Options, learningContextKey: string): RequirementLink[];
}

/** Name of the option that overrides options of the retrieval function for single courses of a learning path. */
export const STEPS = "steps";

/** Name of the option for the number of required courses in a learning path. By default, all are required. */
export const REQUIRED_STEPS = "required_steps";

const MAX_STEPS = 200;

const requiredSteps = z.int().min(1).max(MAX_STEPS);

/** Options that every type and configuration has, in addition to the options of its functions. */
export const commonOptions = z.object({
  [OPEN_BADGE]: openBadgeOption.optional(),
  ...validityOptions.shape,
  ...emailOptions.shape,
  ...publicFactsOptions.shape,
  ...gradingScaleOptions.shape,
  ...issueWhenEarnedOptions.shape,
});

/** Maximum size of the options of a type or configuration, in bytes of JSON. */
const MAX_OPTIONS_SIZE = 64 * 1024;

/** NUL, or half of a surrogate pair, as escaped by JSON.stringify. Postgres can store neither. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*(\\u(?:0000|d[89a-f][0-9a-f]{2}))/;

const MAX_PROBLEMS = 5;
const MAX_MESSAGE = 300;

interface NamedFunctions {
  readonly retrieval: ConfigurableFunction;
  readonly generation: ConfigurableFunction;
}

/**
 * Checks the options of a type. Required options may be missing, because the configurations of the type can set them.
 * @throws Problem `invalid` naming the option and listing the known ones
 */
export function checkTypeOptions(options: Options, functions: NamedFunctions): void {
  checkNames(options, functions);
  checkCommon(options);
  checkSteps(options, functions.retrieval);
  check(functions.retrieval, pick(options, functions.retrieval), false, "custom_options");
  check(functions.generation, pick(options, functions.generation), true, "custom_options");
}

/**
 * Checks a configuration's own options, and their combination with the options of its type.
 * @throws Problem `invalid` naming the option and listing the known ones
 */
export function checkConfigurationOptions(
  typeOptions: Options,
  own: Options,
  kind: LearningContextKey["kind"],
  functions: NamedFunctions,
): void {
  checkNames(own, functions); // also checks the names of options that `null` removes
  for (const name of kind === "course" ? [STEPS, REQUIRED_STEPS] : []) {
    if (own[name] !== undefined && own[name] !== null)
      throw wrongField(`custom_options.${name}`, "is for learning paths: a course has no steps.");
  }
  const options = mergeOptions(typeOptions, own);
  checkNames(options, functions);
  checkCommon(options);
  checkRequirements(options, kind, functions.retrieval);
  check(functions.generation, pick(options, functions.generation), true, "custom_options");
}

/**
 * @param options of a configuration, merged over the options of its type
 * @throws Problem `invalid` naming the option
 */
export function checkRequirements(
  options: Options,
  kind: LearningContextKey["kind"],
  retrieval: ConfigurableFunction,
): void {
  const steps = checkSteps(options, retrieval);
  // If the steps of a path have options, the path's own options may be incomplete.
  const isComplete = kind === "course" || steps === 0;
  check(retrieval, pick(options, retrieval), isComplete, "custom_options");
}

/**
 * Checks the size and characters of a configuration's options, merged over the options of its type.
 * @throws Problem `invalid`
 */
export function checkStored(options: Options): void {
  const json = JSON.stringify(options);
  const size = Buffer.byteLength(json);
  if (size > MAX_OPTIONS_SIZE) {
    throw wrongField(
      "custom_options",
      `take ${size} bytes of JSON, together with the options of the type; at most ${MAX_OPTIONS_SIZE} are accepted.`,
    );
  }
  const [, unstorable] = UNSTORABLE_ESCAPE.exec(json) ?? [];
  if (unstorable !== undefined)
    throw wrongField("custom_options", `contain ${unstorable}, which can't be stored in a text.`);
}

function checkNames(options: Options, { retrieval, generation }: NamedFunctions): void {
  checkStored(options);
  const own = [...Object.keys(retrieval.options.shape), ...Object.keys(generation.options.shape)];
  const allowed = [...own, STEPS, REQUIRED_STEPS, ...Object.keys(commonOptions.shape)];
  const unknown = Object.keys(options).find((name) => !allowed.includes(name));
  if (unknown === undefined) return;
  throw invalidField(
    "custom_options",
    `custom_options.${printable(unknown)} is not an option of ${retrieval.name} or ${generation.name}. ` +
      `Known: ${allowed.sort().join(", ")}.`,
  );
}

function checkCommon(options: Options): void {
  const { error } = commonOptions.safeParse(options);
  if (error)
    throw invalidField(
      `custom_options.${error.issues[0]?.path.join(".")}`,
      `custom_options.${printable(describeIssues(error.issues), MAX_MESSAGE)}.`,
    );
}

/** Checks the options of steps. Returns how many steps have options of their own. */
function checkSteps(options: Options, retrieval: ConfigurableFunction): number {
  const count = options[REQUIRED_STEPS];
  if (count !== undefined && !requiredSteps.safeParse(count).success)
    throw wrongField(`custom_options.${REQUIRED_STEPS}`, `must be a whole number from 1 to ${MAX_STEPS}.`);
  const steps = options[STEPS];
  if (steps === undefined) return 0;
  if (retrieval.linksOf) {
    throw wrongField(
      `custom_options.${STEPS}`,
      `is not used by ${retrieval.name}, whose requirements name their courses in course or runs.`,
    );
  }
  if (!isObject(steps))
    throw wrongField(`custom_options.${STEPS}`, "must be an object that maps course keys to options.");
  const entries = Object.entries(steps);
  for (const [courseKey, own] of entries) {
    const at = `custom_options.${STEPS}[${quoted(courseKey)}]`;
    parseCourseKey(courseKey, `custom_options.${STEPS}`);
    if (!isObject(own)) throw invalid(`${at} must be an object of options.`);
    const unknown = Object.keys(own).find((name) => !Object.hasOwn(retrieval.options.shape, name));
    if (unknown !== undefined) {
      const allowed = Object.keys(retrieval.options.shape).sort().join(", ");
      throw invalid(`${at}.${printable(unknown)} is not an option of ${retrieval.name}. Known: ${allowed}.`);
    }
    check(retrieval, own, true, at);
  }
  return entries.length;
}

/** Returns the number of required steps, or `undefined` if all steps are required. */
export function requiredStepsIn(options: Options): number | undefined {
  return requiredSteps.safeParse(options[REQUIRED_STEPS]).data;
}

export function pick(options: Options, { options: schema }: ConfigurableFunction): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(schema.shape, name)));
}

function check(fn: ConfigurableFunction, options: Options, complete: boolean, at: string): void {
  const schema = complete ? fn.options : partial(fn.options);
  const parsed = schema.safeParse(options);
  if (parsed.success) {
    if (complete) fn.checkOptions?.(options);
    return;
  }
  const { issues } = parsed.error;
  const pathOf = ({ path }: z.core.$ZodIssue) =>
    [at, ...path.map((part) => printable(String(part)))].join(".");
  const problems = issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => `${pathOf(issue)}: ${printable(issue.message, MAX_MESSAGE)}`);
  if (issues.length > MAX_PROBLEMS) problems.push(`and ${issues.length - MAX_PROBLEMS} more`);
  throw invalidField(
    issues[0] ? pathOf(issues[0]) : at,
    `${problems.join("; ")}. Options of ${fn.name}: ${Object.keys(fn.options.shape).sort().join(", ")}.`,
  );
}

/** Makes all options optional, and removes the rules for combinations of options. */
function partial(schema: z.ZodObject): z.ZodObject {
  return schema.clone({ ...schema.def, checks: [] }).partial();
}
