import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import {
  GROUPS,
  type GroupKind,
  LEAVES,
  type LeafKind,
  MAX_DEPTH,
  MEMBERS,
} from "#foundation/requirement-parts.js";
import { isPathKey } from "#foundation/text/key-parts.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { isJsonObject } from "../options/read-options.js";

/**
 * Maximum number of levels of required credentials to show. The service refuses credentials that require each other in
 * a circle, but data that was read at different times may contain a circle.
 */
export const MAX_SHOWN_LEVELS = 20;

export function partKindOf(part: JsonValue | undefined): LeafKind | GroupKind | undefined {
  if (!isJsonObject(part)) return undefined;
  const kinds = [...GROUPS, ...LEAVES].filter((kind) => Object.hasOwn(part, kind));
  return kinds.length === 1 ? kinds[0] : undefined;
}

export const isGroup = (kind: LeafKind | GroupKind): kind is GroupKind =>
  (GROUPS as readonly string[]).includes(kind);

/** Returns whether fields can show a whole tree without loss. */
export function isShowable(part: JsonValue | undefined, depth = 1): boolean {
  const kind = partKindOf(part);
  if (!kind || !isJsonObject(part) || depth > MAX_DEPTH + 1) return false;
  if (Object.keys(part).some((name) => name !== kind && !MEMBERS[kind].includes(name))) return false;
  if (!isGroup(kind)) return areTexts(part.runs) && (kind !== "holds" || isJsonObject(part.holds));
  const parts = part[partsName(kind)];
  return Array.isArray(parts) && parts.every((each) => isShowable(each, depth + 1));
}

function areTexts(value: JsonValue | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.every((each) => typeof each === "string"));
}

/** Returns the name of the member that contains a group's parts. */
const partsName = (kind: GroupKind) => (kind === "at_least" ? "of" : kind);

export function partsOf(group: JsonObject): readonly JsonObject[] {
  const kind = partKindOf(group);
  const parts = kind && isGroup(kind) ? group[partsName(kind)] : undefined;
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
}

/** Returns the only part inside a group, or inside several such groups. Returns any other part unchanged. */
export function unwrapped(part: JsonObject): JsonObject {
  const [only, ...others] = partsOf(part);
  return only === undefined || others.length > 0 ? part : unwrapped(only);
}

/** Returns whether a tree has nested groups. Such a tree is easier to read as a list than as a sentence. */
export function isNested(tree: JsonObject): boolean {
  return partsOf(unwrapped(tree)).some((part) => partsOf(unwrapped(part)).length > 0);
}

/** Returns how many parts of a group are required, in words; undefined if the part is not a group. */
export function groupName(part: JsonObject, words: Chapters["trees"]): string | undefined {
  const kind = partKindOf(part);
  if (!kind || !isGroup(kind)) return undefined;
  return kind === "at_least" ? words.atLeast({ count: Number(part.at_least) || 1 }) : words.rules[kind];
}

export function groupOf(kind: GroupKind, parts: readonly JsonObject[]): JsonObject {
  return kind === "at_least" ? { at_least: 1, of: [...parts] } : { [kind]: [...parts] };
}

export function withParts(group: JsonObject, parts: readonly JsonObject[]): JsonObject {
  const kind = partKindOf(group);
  return { ...group, [partsName(kind && isGroup(kind) ? kind : "all")]: [...parts] };
}

/** Returns a tree whose root is a group, as the form requires. */
export function rootOf(tree: JsonValue | undefined): JsonObject {
  const kind = partKindOf(tree);
  if (!isJsonObject(tree) || !kind) return { all: [] };
  return isGroup(kind) ? tree : { all: [tree] };
}

/** Returns the tree to save; undefined if nothing is required. */
export function treeOf(root: JsonObject): JsonObject | undefined {
  return partsOf(root).length === 0 ? undefined : root;
}

export function newPart(kind: LeafKind | "group"): JsonObject {
  const empty: Record<LeafKind | "group", JsonObject> = {
    grade: { grade: {} },
    completion: { completion: 1 },
    passed: { passed: true },
    letter: { letter: "" },
    holds: { holds: {} },
    group: { any: [] },
  };
  return empty[kind];
}

export function countLeaves(part: JsonObject): number {
  const kind = partKindOf(part);
  return kind && isGroup(kind) ? partsOf(part).reduce((sum, each) => sum + countLeaves(each), 0) : 1;
}

/** Where the required result or credential may come from. */
export type Binding = "context" | "course" | "runs" | "anywhere" | "offer";

export function bindingOf(part: JsonObject): Binding {
  if (isJsonObject(part.holds) && part.holds.configuration_id !== undefined) return "offer";
  if (part.anywhere === true) return "anywhere";
  return part.runs !== undefined ? "runs" : part.course !== undefined ? "course" : "context";
}

/** Changes where the required result may be from. Keeps the courses if possible. */
export function withBinding(part: JsonObject, to: Binding): JsonObject {
  const { course, runs, anywhere: _, ...rest } = part;
  const keys = keysOf(part);
  if (isJsonObject(rest.holds) && (to === "offer") !== (rest.holds.configuration_id !== undefined))
    rest.holds = to === "offer" ? { configuration_id: 0 } : {};
  if (to === "anywhere") return { ...rest, anywhere: true };
  if (to === "course") return { ...rest, course: keys[0] ?? "" };
  if (to === "runs") return { ...rest, runs: keys.length > 0 ? [...keys] : [""] };
  return rest;
}

export function keysOf({ course, runs }: JsonObject): readonly string[] {
  if (Array.isArray(runs)) return runs.filter((key) => typeof key === "string");
  return typeof course === "string" ? [course] : [];
}

export function moveEntry<T>(list: readonly T[], from: number, by: 1 | -1): readonly T[] {
  const item = list[from];
  if (item === undefined || from + by < 0 || from + by >= list.length) return list;
  return list.with(from, list[from + by] as T).with(from + by, item);
}

/** Errors that can be found without the service. */
type TreeFault =
  | "emptyGroup"
  | "wrongCount"
  | "noGrade"
  | "noLetter"
  | "noCredential"
  | "noCourse"
  | "notCourse"
  | "courseTwice";

/** Returns the errors of a part itself. Errors of its parts and of typed numbers are shown at their own fields. */
export function faultsOf(part: JsonObject): readonly TreeFault[] {
  const kind = partKindOf(part);
  const faults: TreeFault[] = [];
  if (kind && isGroup(kind)) {
    const parts = partsOf(part);
    if (parts.length === 0) faults.push("emptyGroup");
    const { at_least: count } = part;
    if (
      kind === "at_least" &&
      parts.length > 0 &&
      !(Number.isInteger(count) && Number(count) >= 1 && Number(count) <= parts.length)
    )
      faults.push("wrongCount");
    return faults;
  }
  if (kind === "grade" && !(isJsonObject(part.grade) && Object.keys(part.grade).length > 0))
    faults.push("noGrade");
  if (kind === "letter" && part.letter === "") faults.push("noLetter");
  if (kind === "holds" && isJsonObject(part.holds)) {
    const { credential_type_id: type, configuration_id: offer } = part.holds;
    if (!type && !offer) faults.push("noCredential");
  }
  const keys = keysOf(part);
  const chosen = keys.filter((key) => key !== "");
  if (chosen.length < keys.length) faults.push("noCourse");
  if (kind !== "holds" && keys.some(isPathKey)) faults.push("notCourse");
  if (new Set(chosen).size < chosen.length) faults.push("courseTwice");
  return faults;
}

/** An error that the service has found in a tree. */
export interface TreeProblem {
  /** Path of the part, for example `all.0.letter`. */
  readonly path: string;
  readonly text: string;
}

const ABOUT_TREE = /^custom_options\.requirements(?:\.([^:]+))?: (.*)$/s;

/** Parses the service's message about a part of a tree; undefined if the message is about something else. */
export function problemIn(message: string): TreeProblem | undefined {
  const [, path = "", text] = ABOUT_TREE.exec(message) ?? [];
  return text === undefined ? undefined : { path, text };
}

/** Returns whether an error is about this part itself, and not about a part of it. */
export function isAt(problem: TreeProblem, path: string, part: JsonObject): boolean {
  const isWithin = path === "" || problem.path === path || problem.path.startsWith(`${path}.`);
  const kind = partKindOf(part);
  if (!isWithin || !kind || !isGroup(kind)) return isWithin;
  return !partsOf(part).some((_, at) => `${problem.path}.`.startsWith(`${pathOf(path, kind, at)}.`));
}

export function pathOf(path: string, kind: GroupKind, at: number): string {
  return [...(path === "" ? [] : [path]), partsName(kind), at].join(".");
}
