import type { JsonValue } from "@bufbuild/protobuf";
import { optionsText } from "../options/read-options.js";
import { isSame } from "../options/same-value.js";
import { OPTION, splitter } from "./compare-versions.js";
import type { Draft, EditedFields, FieldName, Version } from "./version.js";

export type Side = "theirs" | "mine";

/** A field or option that someone has changed. Missing values are undefined. */
interface VersionDifference {
  /** Path of a field or option, for example `options.required_grades`. */
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
  readonly mine: JsonValue | undefined;
  /** Who has changed the value; `both` if the two changes differ. */
  readonly changedBy: Side | "both";
}

/**
 * Compares two versions that have a common base.
 * @returns the fields and options that one side has changed, or that both sides have changed differently
 */
export function differencesBetween({ base, fields }: Draft, theirs: Version): readonly VersionDifference[] {
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

/**
 * Merges both versions.
 * @param choose returns whose value to use for a field or an option that both sides have changed
 */
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
