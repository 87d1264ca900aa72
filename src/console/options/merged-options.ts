import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject } from "./read-options.js";
import { isSame } from "./same-value.js";

/** The option with a requirement tree. It replaces that of the type as a whole. */
export const REQUIREMENTS = "requirements";

/** Merges options of a configuration over those of its type, as the service does: `null` removes one. */
export function mergedOptions(base: JsonObject, over: JsonObject): JsonObject {
  const merged = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name];
    if (value === null) delete merged[name];
    else if (!isObject(value) || name === REQUIREMENTS) merged[name] = value;
    else merged[name] = mergedOptions(isObject(below) ? below : {}, value);
  }
  return merged;
}

/**
 * Returns the own options after a change of the merged ones. Options that are the same as in the type are removed;
 * unchanged ones are kept as they were written.
 */
export function changedOwn(
  type: JsonObject,
  own: JsonObject,
  change: { readonly before: JsonObject; readonly after: JsonObject },
): JsonObject {
  const { before, after } = change;
  const changed = { ...own };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is, inherited, mine] = [before[name], after[name], type[name], own[name]];
    if (isSame(was, is)) continue;
    if (isSame(is, inherited)) delete changed[name];
    else if (is === undefined) changed[name] = null;
    else if (isObject(is) && isObject(inherited) && name !== REQUIREMENTS) {
      const inner = changedOwn(inherited, isObject(mine) ? mine : {}, {
        before: isObject(was) ? was : inherited,
        after: is,
      });
      if (Object.keys(inner).length === 0) delete changed[name];
      else changed[name] = inner;
    } else changed[name] = is;
  }
  return changed;
}

/** Returns the value at a path, for example `text_elements.name.size` or `images.0`. */
export function valueAt(options: JsonObject, path: string): JsonValue | undefined {
  return path
    .split(".")
    .reduce<JsonValue | undefined>(
      (value, name) =>
        Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined,
      options,
    );
}

/** Returns the options with another value at a path. Undefined removes it; missing groups on the way are created. */
export function withValue(options: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const [name = "", ...rest] = path.split(".");
  const inner = rest.join(".");
  const below = options[name];
  const next =
    inner === ""
      ? value
      : Array.isArray(below)
        ? changedList(below, inner, value)
        : withValue(isObject(below) ? below : {}, inner, value);
  if (next !== undefined) return { ...options, [name]: next };
  const { [name]: _, ...others } = options;
  return others;
}

function changedList(list: readonly JsonValue[], path: string, value: JsonValue | undefined): JsonValue[] {
  const [first = "", ...rest] = path.split(".");
  const at = Number(first);
  if (rest.length === 0 && value === undefined) return list.filter((_, index) => index !== at);
  const each = list[at];
  const next = rest.length === 0 ? value : withValue(isObject(each) ? each : {}, rest.join("."), value);
  return Object.assign([...list], { [at]: next });
}

/** Returns the examples of an option in a schema. */
export function examplesAt(schema: JsonObject, path: string): readonly string[] {
  const found = valueAt(schema, `properties.${path}`);
  const examples = isObject(found) ? found.examples : undefined;
  return Array.isArray(examples) ? examples.filter((each) => typeof each === "string") : [];
}
