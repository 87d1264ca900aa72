import { isObject } from "./is-object.js";

type Options = Readonly<Record<string, unknown>>;

/** Name of the option for a requirement tree. The tree is never merged, but always replaced as a whole. */
export const REQUIREMENTS = "requirements";

/** Name of the option for the required grade of each assignment type. */
export const REQUIRED_GRADES = "required_grades";

/**
 * Merges a configuration's options over the options of its type. Objects are merged deeply, `null` removes an option,
 * and any other value replaces the option. Assignment types in `required_grades` are compared without case.
 */
export function mergeOptions<O extends Options>(base: O, over: O): O;
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

/** Leaves out options whose name differs only in case from a name in `over`. */
function withoutCaseOf(options: Options, over: Options): Options {
  const named = namesWithoutCase(over);
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => Object.hasOwn(over, name) || !named.has(name.toLowerCase())),
  );
}

export function namesWithoutCase(options: Options): ReadonlySet<string> {
  return new Set(Object.keys(options).map((name) => name.toLowerCase()));
}
