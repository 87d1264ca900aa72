import type { JsonValue } from "@bufbuild/protobuf";
import { optionsText, readOptions } from "../options/read-options.js";
import { isSame } from "../options/same-value.js";
import type { Draft, EditedFields, FieldName, Version } from "./version.js";

export type Side = "theirs" | "mine";

/** A field or option that someone has changed; undefined values are missing. */
export interface Difference {
  /** A field, or an option, for example `options.required_grades`. */
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
  readonly mine: JsonValue | undefined;
  /** Who has changed it; `both` if the changes differ. */
  readonly changedBy: Side | "both";
}

const OPTION = "options.";

/**
 * Compares two versions with a common base, field by field and option by option.
 * @returns fields that only one side has changed, and those that both have changed differently
 */
export function differencesBetween({ base, fields }: Draft, theirs: Version): readonly Difference[] {
  const split = splitter(base.fields, theirs.fields, fields);
  const [before, there, here] = [split(base.fields), split(theirs.fields), split(fields)];
  const paths = new Set([...before.keys(), ...there.keys(), ...here.keys()]);
  return [...paths].flatMap((path) => {
    const values = { before: before.get(path), theirs: there.get(path), mine: here.get(path) };
    const isTheirs = !isSame(values.before, values.theirs);
    const isMine = !isSame(values.before, values.mine);
    if ((!isTheirs && !isMine) || isSame(values.theirs, values.mine)) return [];
    return [{ path, ...values, changedBy: isTheirs && isMine ? "both" : isTheirs ? "theirs" : "mine" }];
  });
}

/** Merges both versions. @param choose returns whose value to use if both have changed a field */
export function mergedFields(draft: Draft, theirs: Version, choose: (path: string) => Side): EditedFields {
  const parts = splitter(draft.base.fields, theirs.fields, draft.fields)(theirs.fields);
  for (const { path, mine, changedBy } of differencesBetween(draft, theirs)) {
    if ((changedBy === "both" ? choose(path) : changedBy) === "theirs") continue;
    if (mine === undefined) parts.delete(path);
    else parts.set(path, mine);
  }
  const options = [...parts].filter(([path]) => path.startsWith(OPTION));
  const texts = [...parts].filter(([path]) => !path.startsWith(OPTION));
  return {
    options: optionsText(
      Object.fromEntries(options.map(([path, value]) => [path.slice(OPTION.length), value])),
    ),
    ...(Object.fromEntries(texts) as Partial<Record<FieldName, string>>),
  };
}

/** Returns whether nothing was changed, apart from white space in the JSON. */
export function isUnchanged({ base, fields }: Pick<Draft, "base" | "fields">): boolean {
  return isSameState(base.fields, fields);
}

/** Returns whether both states are equal, apart from white space in the JSON. */
export function isSameState(one: EditedFields, other: EditedFields): boolean {
  return changedParts(one, other).length === 0;
}

/** Returns the fields and options in which two states differ, by kind of change. */
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
 * Returns a function that splits versions into comparable parts. If the options of any version are not valid JSON, the
 * options are a single part.
 */
function splitter(...versions: EditedFields[]): (version: EditedFields) => Map<string, JsonValue> {
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
