import type { JsonObject } from "@bufbuild/protobuf";
import { groupBy } from "#foundation/group-by.js";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { valueAt, withValue } from "../options/change-options.js";
import { isJsonObject } from "../options/read-options.js";
import { placedPaths } from "./arrange.js";
import { type Item, ownOptions } from "./items.js";
import { placeOf, rounded } from "./move-items.js";

/** Minimum distance between rows of a block, in points. */
const MIN_ROW_DISTANCE = 0.75;

export function canJoin({ kind }: Item): boolean {
  return ["text", "shape", "logo", "facts", "signatures"].includes(kind);
}

/** Returns the blocks with their members from top to bottom. */
export function blocksOf(options: JsonObject, items: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  const members = groupBy(
    items.filter(({ block = "" }) => isJsonObject(valueAt(options, `blocks.${block}`))),
    ({ block = "" }) => block,
  );
  return new Map(
    [...members].map(([block, each]) => [block, each.toSorted((one, other) => lineOf(one) - lineOf(other))]),
  );
}

/**
 * Adds an item to a block. Its position in the block matches its position on the page: between the nearest members
 * above and below the item.
 */
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
  // The two members may be further apart on the page than in the options. If the item would therefore be below the
  // lower member in the options, it gets the middle between the two.
  const isBetween = !below || wanted > yOf(below) + MIN_ROW_DISTANCE;
  const y = isBetween || !above ? wanted : (yOf(above) + yOf(below)) / 2;
  const { x } = placeOf(item, options, layout);
  return withValue(options, item.path, { ...ownOptions(options, item.path), x, y: rounded(y), block });
}

/** Moves down the members of a block that are below this line. */
export function withRoomBelow(options: JsonObject, block: string, line: number, room: number): JsonObject {
  return placedPaths(options).reduce((changed, path) => {
    const own = ownOptions(options, path);
    const isBelow = own.block === block && typeof own.y === "number" && own.y < line - MIN_ROW_DISTANCE;
    return isBelow ? withValue(changed, `${path}.y`, rounded((own.y as number) - room)) : changed;
  }, options);
}

/** Returns the distance of an item's baseline or lower edge from the top of the page. */
function lineOf({ text, anchor, box }: Item): number {
  return text ? anchor.y : box.y + box.height;
}
