import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { REQUIREMENTS } from "#foundation/text/merge-options.js";
import { isJsonObject, optionsText, readOptions } from "../options/read-options.js";
import { isSame } from "../options/same-value.js";
import type { Draft, EditedFields, FieldName, Version } from "./version.js";

export type Side = "theirs" | "mine";

/** The names and positions that lead to a value, for example `["options", "images", "0", "x"]` or `["name"]`. */
export type ValuePath = readonly string[];

/** A value that someone has changed. Missing values are undefined. */
interface VersionDifference {
  readonly path: ValuePath;
  readonly before: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
  readonly mine: JsonValue | undefined;
  /** Who has changed the value; `both` if the two changes differ. */
  readonly changedBy: Side | "both";
}

type Values = Pick<VersionDifference, "before" | Side>;

/** Added texts of two people that have the same name, for example `text_1`, are different texts. */
const ADDED_TEXT = /^text_\d+$/;

/**
 * Compares two versions that have a common base, value by value: two people who change the same element of a design
 * clash only if they change the same property.
 * @returns the values that one side has changed, or that both sides have changed differently
 */
export function differencesBetween({ base, fields }: Draft, theirs: Version): readonly VersionDifference[] {
  const valuesOf = reader([base.fields, theirs.fields, fields]);
  return compared([], {
    before: valuesOf(base.fields),
    theirs: valuesOf(theirs.fields),
    mine: valuesOf(fields),
  });
}

/**
 * Merges both versions.
 * @param choose returns whose value to use for a value that both sides have changed
 */
export function mergedFields(draft: Draft, theirs: Version, choose: (path: ValuePath) => Side): EditedFields {
  const { fields, base } = draft;
  const merged = differencesBetween(draft, theirs)
    .filter(({ path, changedBy }) => (changedBy === "both" ? choose(path) : changedBy) === "mine")
    .reduce<JsonValue>(
      (result, { path, mine }) => withValueAt(result, path, mine) ?? {},
      reader([base.fields, theirs.fields, fields])(theirs.fields),
    ) as JsonObject;
  const { options = {}, ...texts } = merged;
  return {
    ...(texts as Partial<Record<FieldName, string>>),
    options: typeof options === "string" ? options : optionsText(options as JsonObject),
  };
}

/** Returns a function that reads versions. If the options of any version aren't valid JSON, they are read as a text. */
function reader(versions: readonly EditedFields[]): (version: EditedFields) => JsonObject {
  const areRead = versions.every(({ options }) => readOptions(options).kind === "options");
  return ({ options, ...texts }) => {
    const read = readOptions(options);
    return { ...texts, options: areRead && read.kind === "options" ? read.options : options };
  };
}

function compared(path: ValuePath, given: Values): readonly VersionDifference[] {
  const values = withBothAdditions(path, given);
  const { before, theirs, mine } = values;
  const isTheirs = !isSame(before, theirs);
  const isMine = !isSame(before, mine);
  if ((!isTheirs && !isMine) || isSame(theirs, mine)) return [];
  const names = namesWithin(path, values);
  if (!names)
    return [{ path, ...values, changedBy: isTheirs && isMine ? "both" : isTheirs ? "theirs" : "mine" }];
  return names.flatMap((name) =>
    compared([...path, name], {
      before: valueIn(before, name),
      theirs: valueIn(theirs, name),
      mine: valueIn(mine, name),
    }),
  );
}

/** Returns the names or positions of the values that are compared one by one; undefined if the whole is compared. */
function namesWithin(path: ValuePath, { before, theirs, mine }: Values): readonly string[] | undefined {
  const all = [before, theirs, mine];
  if (path.join() === `options,${REQUIREMENTS}`) return undefined;
  if (all.every(isJsonObject)) return [...new Set(all.flatMap((each) => Object.keys(each)))];
  if (!all.every(isListOfGroups)) return undefined;
  const [was = []] = all;
  const isInPlace = (list: readonly JsonObject[]) =>
    list.length >= was.length &&
    list.every((each, at) => isSame(each, was[at]) || !was.some((other) => isSame(each, other)));
  // If someone has moved or removed an entry, its position identifies it no longer.
  if (!all.every(isInPlace)) return undefined;
  return Array.from({ length: Math.max(...all.map(({ length }) => length)) }, (_, at) => String(at));
}

/**
 * Renames or moves what both sides have added under the same name or position, so that both additions are kept: the texts
 * of a design get other names, and entries at the end of a list follow those of the other side.
 */
function withBothAdditions(path: ValuePath, values: Values): Values {
  const { before, theirs, mine } = values;
  if (isListOfGroups(before) && isListOfGroups(theirs) && isListOfGroups(mine)) {
    const [added, own] = [theirs.slice(before.length), mine.slice(before.length)];
    if (added.length === 0 || mine.length < before.length || isSame(added, own)) return values;
    return { ...values, mine: [...mine.slice(0, before.length), ...(own.length > 0 ? added : []), ...own] };
  }
  const areTexts = path.join() === "options,text_elements";
  if (!areTexts || !isJsonObject(theirs) || !isJsonObject(mine)) return values;
  return { ...values, mine: withRenamedTexts(before, theirs, mine) };
}

function withRenamedTexts(before: JsonValue | undefined, theirs: JsonObject, mine: JsonObject): JsonObject {
  const texts = { ...mine };
  for (const [name, text] of Object.entries(mine)) {
    const other = theirs[name];
    const isAdded = ADDED_TEXT.test(name) && valueIn(before, name) === undefined;
    if (!isAdded || other === undefined || isSame(other, text)) continue;
    let number = 1;
    while (`text_${number}` in theirs || `text_${number}` in texts) number++;
    texts[name] = other;
    texts[`text_${number}`] = text;
  }
  return texts;
}

function isListOfGroups(value: JsonValue | undefined): value is JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

function valueIn(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return Array.isArray(value) ? value[Number(name)] : isJsonObject(value) ? value[name] : undefined;
}

/** Sets the value at a path. undefined removes it. */
function withValueAt(
  value: JsonValue | undefined,
  [name, ...rest]: ValuePath,
  next: JsonValue | undefined,
): JsonValue | undefined {
  if (name === undefined) return next;
  const inner = withValueAt(valueIn(value, name), rest, next);
  if (Array.isArray(value) && inner !== undefined) return Object.assign([...value], { [name]: inner });
  const { [name]: _, ...others } = isJsonObject(value) ? value : {};
  return inner === undefined ? others : { ...(isJsonObject(value) ? value : {}), [name]: inner };
}
