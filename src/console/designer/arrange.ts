import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { valueAt, withValue } from "../options/change-options.js";
import { isJsonObject } from "../options/read-options.js";
import { marksOf, ownOptions } from "./items.js";

/** The lists in which the order of elements is the order of drawing. */
const LISTS = ["shapes", "images"] as const;

export type Order = "front" | "forward" | "backward" | "back";

interface Arranged {
  readonly options: JsonObject;
  /** Paths of the elements in the new options. */
  readonly paths: readonly string[];
}

/** Returns the paths of all elements that the options position on the page. */
export function placedPaths(options: JsonObject): readonly string[] {
  const named = ["text_elements", "places"].flatMap((group) =>
    Object.keys(ownOptions(options, group)).map((name) => `${group}.${name}`),
  );
  const listed = LISTS.flatMap((list) => listAt(options, list).map((_, index) => `${list}.${index}`));
  return [...named, ...listed, "qr"].filter((path) => isJsonObject(valueAt(options, path)));
}

/**
 * Changes the drawing order among shapes and among pictures. Locked ones aren't moved.
 * @returns also the previous paths of the elements to which the order was applied
 */
export function withOrder(
  options: JsonObject,
  paths: readonly string[],
  order: Order,
): Arranged & { readonly ordered: readonly string[] } {
  const free = paths.filter((path) => !marksOf(options, path).isLocked);
  let changed = options;
  const moved = new Map<string, string>();
  for (const list of LISTS) {
    const entries = listAt(options, list).map((value, index) => {
      const path = `${list}.${index}`;
      return { value, path, isChosen: free.includes(path) };
    });
    if (!entries.some(({ isChosen }) => isChosen)) continue;
    const sorted = inOrder(entries, order);
    for (const [index, { path }] of sorted.entries()) moved.set(path, `${list}.${index}`);
    changed = withValue(
      changed,
      list,
      sorted.map(({ value }) => value),
    );
  }
  return {
    options: changed,
    paths: paths.map((path) => moved.get(path) ?? path),
    ordered: free.filter((path) => moved.has(path)),
  };
}

function inOrder<T extends { readonly isChosen: boolean }>(
  entries: readonly T[],
  order: Order,
): readonly T[] {
  if (order === "front" || order === "back") {
    const [chosen, others] = [
      entries.filter(({ isChosen }) => isChosen),
      entries.filter((each) => !each.isChosen),
    ];
    return order === "front" ? [...others, ...chosen] : [...chosen, ...others];
  }
  // Swaps each chosen element with its neighbour in the direction of the move, unless the neighbour is chosen, too.
  // Starts at the end towards which the elements move.
  const sorted = order === "forward" ? entries.toReversed() : [...entries];
  for (let at = 1; at < sorted.length; at++) {
    const [before, here] = [sorted[at - 1], sorted[at]];
    if (before && here?.isChosen && !before.isChosen) sorted.splice(at - 1, 2, here, before);
  }
  return order === "forward" ? sorted.toReversed() : sorted;
}

/** Sets an option of several elements. undefined removes the option. */
export function withEach(
  options: JsonObject,
  paths: readonly string[],
  name: "hidden" | "locked" | "group",
  value: JsonValue | undefined,
): JsonObject {
  return paths.reduce((changed, path) => withValue(changed, `${path}.${name}`, value), options);
}

export function grouped(options: JsonObject, paths: readonly string[]): JsonObject {
  return withEach(options, paths, "group", freeGroup(options));
}

export function freeGroup(options: JsonObject): string {
  const taken = new Set(placedPaths(options).map((path) => ownOptions(options, path).group));
  for (let number = 1; ; number++) if (!taken.has(`group_${number}`)) return `group_${number}`;
}

function listAt(options: JsonObject, list: string): readonly JsonValue[] {
  const value = valueAt(options, list);
  return Array.isArray(value) ? value : [];
}
