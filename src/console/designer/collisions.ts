import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { Item, Rectangle } from "./items.js";

/**
 * Two elements overlap if their common area is more than this share of the smaller one. A little is allowed, because
 * letters may extend into the space between lines.
 */
const MAX_OVERLAP_SHARE = 0.12;
/** In points. Rounding may place elements slightly beyond the page's edge. */
const TOLERANCE = 0.5;

export interface Collisions {
  readonly overlaps: readonly Item[];
  /** Whether the page's edge cuts off a part of the item. */
  readonly isCut: boolean;
}

/**
 * Finds what makes an item hard to read: a page edge that cuts it off, and items that overlap with it. Overlaps count
 * if at least one of the two items is a text. Shapes are ignored, because they are meant to be below other items.
 */
export function collisionsOf(item: Item, items: readonly Item[], layout: PreviewLayout): Collisions {
  if (!isContent(item)) return { overlaps: [], isCut: false };
  const { x, y, width, height } = item.box;
  return {
    overlaps: items.filter(
      (other) =>
        other.path !== item.path &&
        isContent(other) &&
        (item.kind === "text" || other.kind === "text") &&
        sharedOf(item.box, other.box) > MAX_OVERLAP_SHARE,
    ),
    isCut:
      Math.min(x, y) < -TOLERANCE ||
      x + width > layout.pageWidth + TOLERANCE ||
      y + height > layout.pageHeight + TOLERANCE,
  };
}

/** Returns whether an item prints something in this area. Backgrounds and shapes don't count. */
export function isObstacle(item: Item, box: Rectangle): boolean {
  return isContent(item) && sharedOf(item.box, box) > 0;
}

function isContent({ kind, isPrinted, isGround }: Item): boolean {
  return isPrinted && !isGround && kind !== "shape";
}

/** Returns the common area as a share of the smaller rectangle. */
function sharedOf(one: Rectangle, other: Rectangle): number {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  const least = Math.min(one.width * one.height, other.width * other.height);
  return across > 0 && down > 0 && least > 0 ? (across * down) / least : 0;
}
