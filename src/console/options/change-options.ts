import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { namesWithoutCase, REQUIRED_GRADES, REQUIREMENTS } from "#foundation/text/merge-options.js";
import { isJsonObject } from "./read-options.js";
import { isSame } from "./same-value.js";

/**
 * Returns a configuration's own options after a change of the merged options. Options that now equal those of the type
 * are omitted. Unchanged options stay as they were written.
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
    else if (isJsonObject(is) && isJsonObject(inherited) && name !== REQUIREMENTS) {
      const changedInner = name === REQUIRED_GRADES ? changedGrades : changedOwn;
      const inner = changedInner(inherited, isJsonObject(mine) ? mine : {}, {
        before: isJsonObject(was) ? was : inherited,
        after: is,
      });
      if (Object.keys(inner).length === 0) delete changed[name];
      else changed[name] = inner;
    } else changed[name] = is;
  }
  return changed;
}

/** Does the same for required grades, whose names are compared without case. */
function changedGrades(
  type: JsonObject,
  own: JsonObject,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
): JsonObject {
  const required = namesWithoutCase(after);
  const isKept = ([name, value]: [string, JsonValue]) =>
    isSame(before[name], after[name]) && !(value === null && required.has(name.toLowerCase()));
  const isNew = ([name, value]: [string, JsonValue]) =>
    !isSame(before[name], value) && !isSame(type[name], value);
  const changed = Object.fromEntries([
    ...Object.entries(own).filter(isKept),
    ...Object.entries(after).filter(isNew),
  ]);
  const named = namesWithoutCase(changed);
  for (const name of Object.keys(type)) {
    const folded = name.toLowerCase();
    if (!required.has(folded) && !named.has(folded)) changed[name] = null;
  }
  return changed;
}

/** Returns the value at a path, for example `text_elements.name.size` or `images.0`. */
export function valueAt(options: JsonObject, path: string): JsonValue | undefined {
  return path
    .split(".")
    .reduce<JsonValue | undefined>(
      (value, name) =>
        Array.isArray(value) ? value[Number(name)] : isJsonObject(value) ? value[name] : undefined,
      options,
    );
}

/** Sets the value at a path. Creates missing groups. undefined removes the value. */
export function withValue(options: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const [name = "", ...rest] = path.split(".");
  const inner = rest.join(".");
  const below = options[name];
  const next =
    inner === ""
      ? value
      : Array.isArray(below)
        ? changedList(below, inner, value)
        : withValue(isJsonObject(below) ? below : {}, inner, value);
  if (next !== undefined) return { ...options, [name]: next };
  const { [name]: _, ...others } = options;
  return others;
}

function changedList(list: readonly JsonValue[], path: string, value: JsonValue | undefined): JsonValue[] {
  const [first = "", ...rest] = path.split(".");
  const at = Number(first);
  if (rest.length === 0 && value === undefined) return list.filter((_, index) => index !== at);
  const each = list[at];
  const next = rest.length === 0 ? value : withValue(isJsonObject(each) ? each : {}, rest.join("."), value);
  return Object.assign([...list], { [at]: next });
}

/** Returns the examples of an option, from a schema. */
export function examplesAt(schema: JsonObject, path: string): readonly string[] {
  const found = valueAt(schema, `properties.${path}`);
  const examples = isJsonObject(found) ? found.examples : undefined;
  return Array.isArray(examples) ? examples.filter((each) => typeof each === "string") : [];
}
