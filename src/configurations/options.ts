import type { z } from "zod";
import { invalid } from "../errors.js";

/** Options as they are kept and sent: a JSON object. */
export type Options = { readonly [name: string]: unknown };

/** A function that a credential type can name: what it is called, and which options it takes. */
export interface ConfigurableFunction {
  /** Dotted path, `<module_path>.<function_name>`. */
  readonly name: string;
  /** In a sentence. */
  readonly summary: string;
  readonly options: z.ZodObject;
}

/** The option of a learning path's configuration that replaces the retrieval function's options for a course. */
export const STEPS = "steps";

/** The most bytes of JSON that the options of a type or configuration may take. */
const MAX_OPTIONS_SIZE = 64 * 1024;

/**
 * The options of a configuration over those of its type: objects are merged deeply, `null` removes, anything else
 * replaces.
 */
export function mergeOptions(base: Options, over: Options): Options {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? mergeOptions(isObject(below) ? below : {}, value) : value;
  }
  return merged;
}

/**
 * Checks options against both functions that share them.
 * @param complete whether options that have no default must be there: in a type they may be left to the configuration
 * @throws Problem `invalid` naming the option and listing what is known
 */
export function checkOptions(
  options: Options,
  functions: { retrieval: ConfigurableFunction; generation: ConfigurableFunction },
  complete: boolean,
): void {
  if (JSON.stringify(options).length > MAX_OPTIONS_SIZE) {
    throw invalid(`custom_options take more than ${MAX_OPTIONS_SIZE} bytes.`);
  }
  const { retrieval, generation } = functions;
  const known = [...Object.keys(retrieval.options.shape), ...Object.keys(generation.options.shape), STEPS];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw invalid(
      `custom_options.${unknown} is not an option of ${retrieval.name} or ${generation.name}. ` +
        `Known: ${known.sort().join(", ")}.`,
    );
  }
  const steps = checkSteps(options, retrieval);
  // Where each step has options of its own, the path need not have any for all of them.
  check(retrieval, pick(options, retrieval), complete && steps === 0, "custom_options");
  check(generation, pick(options, generation), complete, "custom_options");
}

/** @returns how many steps have options of their own */
function checkSteps(options: Options, retrieval: ConfigurableFunction): number {
  const steps = options[STEPS];
  if (steps === undefined) return 0;
  if (!isObject(steps)) throw invalid(`custom_options.${STEPS} must be an object, course key -> options.`);
  const entries = Object.entries(steps);
  for (const [courseKey, own] of entries) {
    const at = `custom_options.${STEPS}[${JSON.stringify(courseKey)}]`;
    if (!isObject(own)) throw invalid(`${at} must be an object of options.`);
    const unknown = Object.keys(own).find((name) => !(name in retrieval.options.shape));
    if (unknown !== undefined) {
      const known = Object.keys(retrieval.options.shape).sort().join(", ");
      throw invalid(`${at}.${unknown} is not an option of ${retrieval.name}. Known: ${known}.`);
    }
    check(retrieval, own, true, at);
  }
  return entries.length;
}

/** Those of the options that the function takes. */
export function pick(options: Options, { options: schema }: ConfigurableFunction): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name in schema.shape));
}

function check(fn: ConfigurableFunction, options: Options, complete: boolean, at: string): void {
  const schema = complete ? fn.options : fn.options.partial();
  const parsed = schema.safeParse(options);
  if (parsed.success) return;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${[at, ...path.map(String)].join(".")}: ${message}`,
  );
  throw invalid(
    `${problems.join("; ")}. Options of ${fn.name}: ${Object.keys(fn.options.shape).sort().join(", ")}.`,
  );
}

export function isObject(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
