import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { Item, Rectangle } from "./items.js";

/**
 * Share of the smaller element from which two are considered to overlap: letters may extend into the space between
 * lines.
 */
const SHARE = 0.12;
/** Tolerance for elements beyond the page's edge, in points, because of rounding. */
const TOLERANCE = 0.5;

/** Collisions of an item. */
export interface Collisions {
  /** Items that overlap it. */
  readonly overlaps: readonly Item[];
  /** Whether the page's edge cuts it off. */
  readonly isCut: boolean;
}

/**
 * Finds what makes an item hard to read: overlapping content, if one of the two is a text, and the edges of the page.
 * Shapes are ignored, because they are meant to lie below other items.
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
        sharedOf(item.box, other.box) > SHARE,
    ),
    isCut:
      Math.min(x, y) < -TOLERANCE ||
      x + width > layout.pageWidth + TOLERANCE ||
      y + height > layout.pageHeight + TOLERANCE,
  };
}

/** Whether an item is content that lies in a rectangle, at least in part. */
export function isInTheWay(item: Item, box: Rectangle): boolean {
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
