import type { JsonValue } from "@bufbuild/protobuf";
import { readOptions } from "../options/read-options.js";
import { isSame } from "../options/same-value.js";
import type { Draft, EditedFields } from "./version.js";

/** The start of an option's path. */
export const OPTION = "options.";

/** Returns whether nothing was changed. Ignores white space in the JSON. */
export function isUnchanged({ base, fields }: Pick<Draft, "base" | "fields">): boolean {
  return isSameState(base.fields, fields);
}

/** Returns whether both states are equal. Ignores white space in the JSON. */
export function isSameState(one: EditedFields, other: EditedFields): boolean {
  return changedParts(one, other).length === 0;
}

export function changedParts(
  before: EditedFields,
  after: EditedFields,
): readonly { readonly how: "changed" | "added" | "removed"; readonly paths: readonly string[] }[] {
  const split = splitter(before, after);
  const [was, is] = [split(before), split(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => !isSame(was.get(path), is.get(path)),
  );
  return (["changed", "added", "removed"] as const).flatMap((how) => {
    const those = paths.filter(
      (path) => how === (!was.has(path) ? "added" : is.has(path) ? "changed" : "removed"),
    );
    return those.length > 0 ? [{ how, paths: those }] : [];
  });
}

/**
 * Returns a function that splits versions into parts that can be compared. If the options of any version are not valid
 * JSON, the options are a single part.
 */
export function splitter(...versions: EditedFields[]): (version: EditedFields) => Map<string, JsonValue> {
  const areRead = versions.every(({ options }) => readOptions(options).kind === "options");
  return ({ options, ...texts }) => {
    const read = readOptions(options);
    const own: [string, JsonValue][] =
      areRead && read.kind === "options"
        ? Object.entries(read.options).map(([name, value]) => [OPTION + name, value])
        : [["options", options]];
    return new Map([...Object.entries(texts), ...own]);
  };
}
