import { z } from "zod";
import type { FunctionWithOptions, Options } from "#formats/rendering/generator.js";
import { invalid, invalidField, wrongField } from "#foundation/errors.js";
import { describeIssues } from "#foundation/text/describe-issues.js";
import { isObject } from "#foundation/text/is-object.js";
import { printable, quoted } from "#foundation/text/quoted.js";
import { type LearningContextKey, parseCourseKey } from "../learners/learning-context-key.js";
import { emailOptions } from "./email-text-option.js";
import { gradingScaleOptions } from "./grading-scale-option.js";
import { issueWhenEarnedOptions } from "./issue-when-earned-option.js";
import { OPEN_BADGE, openBadgeOption } from "./open-badge-option.js";
import { publicFactsOptions } from "./public-facts-option.js";
import { validityOptions } from "./validity-options.js";

/** A course whose results are required, or a credential that must be held. */
export interface RequirementLink {
  /** The course of the result, or the course or path of the credential. Null: any, or the configuration's own. */
  readonly contextKey: string | null;
  readonly heldTypeId: number | null;
  readonly heldConfigurationId: number | null;
}

export type { Options };

/** A function that a credential type can refer to. */
export interface ConfigurableFunction extends FunctionWithOptions {
  /** Lists the courses and credentials in valid options. Functions without this method have none. */
  linksOf?(options: Options, learningContextKey: string): RequirementLink[];
}

/** An option of a learning path's configuration that replaces the retrieval function's options for single courses. */
export const STEPS = "steps";

/** An option of a learning path's configuration: the number of required courses, if not all. */
export const REQUIRED_STEPS = "required_steps";

/** The maximum number of courses in a learning path. */
const MAX_STEPS = 200;

const requiredSteps = z.int().min(1).max(MAX_STEPS);

/** The option with a requirement tree, which is always replaced as a whole. */
export const REQUIREMENTS = "requirements";

/** Options of every type and configuration that belong to neither of its functions. */
export const commonOptions = z.object({
  [OPEN_BADGE]: openBadgeOption.optional(),
  ...validityOptions.shape,
  ...emailOptions.shape,
  ...publicFactsOptions.shape,
  ...gradingScaleOptions.shape,
  ...issueWhenEarnedOptions.shape,
});

/** Maximum size of a type's or configuration's options, in bytes of JSON. */
const MAX_OPTIONS_SIZE = 64 * 1024;

/** NUL, or half of a surrogate pair, as JSON.stringify escapes it: Postgres can store neither. */
const UNKEPT_ESCAPE = /(?<!\\)(?:\\\\)*(\\u(?:0000|d[89a-f][0-9a-f]{2}))/;

/** Maximum number of problems listed in one error. */
const MAX_PROBLEMS = 5;
const MAX_MESSAGE = 300;

/** Both functions that a credential type refers to. */
interface NamedFunctions {
  readonly retrieval: ConfigurableFunction;
  readonly generation: ConfigurableFunction;
}

/** The keys of this option are assignment types, which are compared without case. */
const REQUIRED_GRADES = "required_grades";

/**
 * Merges a configuration's options over those of its type. Objects are merged deeply, `null` removes an option, any
 * other value replaces it. In `required_grades`, `total` replaces `Total`. A requirement tree is replaced as a whole.
 */
export function mergeOptions(base: Options, over: Options): Options {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name];
    if (value === null) delete merged[name];
    else if (!isObject(value) || name === REQUIREMENTS) merged[name] = value;
    else if (!isObject(below)) merged[name] = mergeOptions({}, value);
    else merged[name] = mergeOptions(name === REQUIRED_GRADES ? withoutCaseOf(below, value) : below, value);
  }
  return merged;
}

/** Leaves out options whose name in another object differs only in case. */
function withoutCaseOf(options: Options, over: Options): Options {
  const named = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(over, name) || !named.has(name.toLowerCase())),
  );
}

/**
 * Validates the options of a type. Options without a default may be left to its configurations.
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
 * Validates the options of a configuration, merged over those of its type.
 * @throws Problem `invalid` naming the option and listing the known ones
 */
export function checkConfigurationOptions(
  typeOptions: Options,
  own: Options,
  kind: LearningContextKey["kind"],
  functions: NamedFunctions,
): void {
  checkNames(own, functions); // including options that `null` removes
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
 * Validates the options for eligibility: those of a configuration merged over those of its type.
 * @throws Problem `invalid` naming the option
 */
export function checkRequirements(
  options: Options,
  kind: LearningContextKey["kind"],
  retrieval: ConfigurableFunction,
): void {
  const steps = checkSteps(options, retrieval);
  // If steps have their own options, those of the path may be incomplete.
  const isComplete = kind === "course" || steps === 0;
  check(retrieval, pick(options, retrieval), isComplete, "custom_options");
}

/**
 * Checks that options can be stored: those of a configuration merged over those of its type.
 * @throws Problem `invalid`
 */
export function checkStored(options: Options): void {
  const json = JSON.stringify(options);
  const size = Buffer.byteLength(json);
  if (size > MAX_OPTIONS_SIZE) {
    throw wrongField(
      "custom_options",
      `take ${size} bytes of JSON, with those of the type; at most ${MAX_OPTIONS_SIZE} are accepted.`,
    );
  }
  const [, unkept] = UNKEPT_ESCAPE.exec(json) ?? [];
  if (unkept !== undefined)
    throw wrongField("custom_options", `contain ${unkept}, which can't be stored in a text.`);
}

function checkNames(options: Options, { retrieval, generation }: NamedFunctions): void {
  checkStored(options);
  const own = [...Object.keys(retrieval.options.shape), ...Object.keys(generation.options.shape)];
  const known = [...own, STEPS, REQUIRED_STEPS, ...Object.keys(commonOptions.shape)];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalidField(
    "custom_options",
    `custom_options.${printable(unknown)} is not an option of ${retrieval.name} or ${generation.name}. ` +
      `Known: ${known.sort().join(", ")}.`,
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

/** @returns the number of steps with their own options */
function checkSteps(options: Options, retrieval: ConfigurableFunction): number {
  const count = options[REQUIRED_STEPS];
  if (count !== undefined && !requiredSteps.safeParse(count).success)
    throw wrongField(`custom_options.${REQUIRED_STEPS}`, `must be a whole number from 1 to ${MAX_STEPS}.`);
  const steps = options[STEPS];
  if (steps === undefined) return 0;
  if (retrieval.linksOf) {
    throw wrongField(
      `custom_options.${STEPS}`,
      `is not for ${retrieval.name}, whose requirements name courses themselves (course, runs).`,
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
      const known = Object.keys(retrieval.options.shape).sort().join(", ");
      throw invalid(`${at}.${printable(unknown)} is not an option of ${retrieval.name}. Known: ${known}.`);
    }
    check(retrieval, own, true, at);
  }
  return entries.length;
}

/** Returns the number of required courses of a learning path; undefined if all are required. */
export function requiredStepsIn(options: Options): number | undefined {
  return requiredSteps.safeParse(options[REQUIRED_STEPS]).data;
}

/** Picks the options of one function. */
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

/** Returns the schema with all options optional, and without its rules for combinations of options. */
function partial(schema: z.ZodObject): z.ZodObject {
  return schema.clone({ ...schema.def, checks: [] }).partial();
}
