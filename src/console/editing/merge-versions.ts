import type { JsonValue } from "@bufbuild/protobuf";
import { optionsText, readOptions } from "../options/read-options.js";
import { isSame } from "../options/same-value.js";
import type { Draft, EditedFields, FieldName, Version } from "./version.js";

export type Side = "theirs" | "mine";

/** One field or option that someone has changed. Undefined: it is not there. */
export interface Difference {
  /** A field, or an option as in `options.required_grades`. */
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
  readonly mine: JsonValue | undefined;
  /** Who has changed it; `both` if they have changed it differently. */
  readonly changedBy: Side | "both";
}

const OPTION = "options.";

/**
 * Compares two states that began as one, field by field, and option by option.
 * @returns what only one side has changed, and what both have changed to different values
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

/** Their state with what is mine in it. @param choose the side that counts where both have changed the same */
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

/** Whether nothing was changed, whatever the spaces in the JSON. */
export function isUnchanged({ base, fields }: Pick<Draft, "base" | "fields">): boolean {
  return isSameState(base.fields, fields);
}

/** Whether both say the same, whatever the spaces in the JSON. */
export function isSameState(one: EditedFields, other: EditedFields): boolean {
  return changedParts(one, other).length === 0;
}

/** The fields and options in which a state differs from the one before, by what became of them. */
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

/** Splits versions into parts to compare. If the options of any can't be read, those of each are one part. */
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
