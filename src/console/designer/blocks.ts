import type { JsonObject } from "@bufbuild/protobuf";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { valueAt, withValue } from "../options/merged-options.js";
import { isObject } from "../options/read-options.js";
import { placedPaths } from "./arrange.js";
import { type Item, ownOptions } from "./items.js";
import { placeOf, rounded } from "./move-items.js";

/** Points by which rows of a block differ at least. */
const SAME_ROW = 0.75;

/** What can belong to a block. */
export function canJoin({ kind }: Item): boolean {
  return ["text", "shape", "logo", "facts", "signatures"].includes(kind);
}

/** The blocks of a design that have members, each with these from top to bottom. */
export function blocksOf(options: JsonObject, items: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  const members = Map.groupBy(
    items.filter(({ block = "" }) => isObject(valueAt(options, `blocks.${block}`))),
    ({ block = "" }) => block,
  );
  return new Map(
    [...members].map(([block, each]) => [block, each.toSorted((one, other) => lineOf(one) - lineOf(other))]),
  );
}

/** The options with an item in a block, between the members between which it lies on the page. */
export function joined(
  options: JsonObject,
  layout: PreviewLayout,
  item: Item,
  block: string,
  members: readonly Item[],
): JsonObject {
  const up = layout.drawnHeight / layout.pageHeight;
  const yOf = (member: Item) => placeOf(member, options, layout).y;
  const above = members.findLast((member) => lineOf(member) <= lineOf(item));
  const below = members.find((member) => lineOf(member) > lineOf(item));
  const wanted = above
    ? yOf(above) - (lineOf(item) - lineOf(above)) * up
    : below
      ? yOf(below) + (lineOf(below) - lineOf(item)) * up
      : placeOf(item, options, layout).y;
  // The page may show the two closer to each other than they were designed, or farther.
  const isBetween = !below || wanted > yOf(below) + SAME_ROW;
  const y = isBetween || !above ? wanted : (yOf(above) + yOf(below)) / 2;
  const { x } = placeOf(item, options, layout);
  return withValue(options, item.path, { ...ownOptions(options, item.path), x, y: rounded(y), block });
}

/** The options with the members of a block moved down that lie below a line of the design. */
export function withRoomBelow(options: JsonObject, block: string, line: number, room: number): JsonObject {
  return placedPaths(options).reduce((changed, path) => {
    const own = ownOptions(options, path);
    const isBelow = own.block === block && typeof own.y === "number" && own.y < line - SAME_ROW;
    return isBelow ? withValue(changed, `${path}.y`, rounded((own.y as number) - room)) : changed;
  }, options);
}

/** Where its options place an item, from the top of the page: its baseline or its lower edge. */
function lineOf({ text, anchor, box }: Item): number {
  return text ? anchor.y : box.y + box.height;
}
