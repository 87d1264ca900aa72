import type { JsonObject } from "@bufbuild/protobuf";
import { groupBy } from "#foundation/group-by.js";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { valueAt, withValue } from "../options/change-options.js";
import { alignShare, type Item, marksOf, ownOptions, type Rectangle } from "./items.js";

/** A distance to the right and down, in points. */
export interface Offset {
  readonly x: number;
  readonly y: number;
}

export const POINTS_IN_MM = 72 / 25.4;

export function moved(
  options: JsonObject,
  layout: PreviewLayout,
  offsets: ReadonlyMap<Item, Offset>,
  items: readonly Item[],
): JsonObject {
  const { right, up } = directions(layout);
  const blocks = blocksToMove(offsets, items);
  let changed = options;
  for (const [block, offset] of blocks) changed = movedBlock(changed, block, -offset.y * up);
  for (const [item, { x, y }] of offsets) {
    const isCarried = item.block !== undefined && blocks.has(item.block);
    const at = placeOf(item, changed, layout);
    const next = {
      ...(isNoticeable(x) && { x: rounded(at.x + x * right) }),
      ...(isNoticeable(y) && !isCarried && { y: rounded(at.y - y * up) }),
    };
    if (Object.keys(next).length === 0) continue;
    const own = item.kind === "qr" ? { ...at, ...ownOptions(changed, "qr") } : ownOptions(changed, item.path);
    changed = withValue(changed, item.path, { ...own, ...next });
  }
  return changed;
}

/**
 * Predicts the positions of items after a change of the options. Items that the service positions automatically keep
 * their positions until the new preview arrives.
 * @param then the options on which the layout is based
 */
export function expected(
  items: readonly Item[],
  layout: PreviewLayout,
  then: JsonObject,
  now: JsonObject,
): readonly Item[] {
  if (then === now) return items;
  const { right, across, up } = directions(layout);
  return items.flatMap((item) => {
    const { path, block = "" } = item;
    if (valueAt(now, path) === undefined && valueAt(then, path) !== undefined) return [];
    const [was, is] = [placeOf(item, then, layout), placeOf(item, now, layout)];
    const [before, after] = [ownOptions(then, path), ownOptions(now, path)];
    const gain = (name: string) =>
      typeof before[name] === "number" && typeof after[name] === "number" ? after[name] - before[name] : 0;
    const [low, high] = [then, now].map((options) => ownOptions(options, `blocks.${block}`).top);
    const extent = typeof low === "number" && typeof high === "number" ? high - low : 0;
    const [wider, higher] = [gain("width") / across + gain("size"), gain("height") / up + gain("size")];
    const isBox = ["image", "qr", "logo", "seal", "shape"].includes(item.kind);
    const offset = { x: (is.x - was.x) / right, y: -(is.y - was.y + extent) / up };
    const size = isBox ? { width: wider, height: higher } : { width: 0, height: 0 };
    return [
      {
        ...item,
        ...marksOf(now, path),
        anchor: { x: item.anchor.x + offset.x, y: item.anchor.y + offset.y - (item.text ? 0 : size.height) },
        box: {
          x: item.box.x + offset.x,
          y: item.box.y + offset.y - size.height,
          width: item.box.width + size.width,
          height: item.box.height + size.height,
        },
      },
    ];
  });
}

/** Returns by how much the options change if an item moves one point to the right, or one point up. */
function directions({ mirrored, pageWidth, pageHeight, drawnWidth, drawnHeight }: PreviewLayout) {
  const across = drawnWidth / pageWidth;
  return { right: mirrored ? -across : across, across, up: drawnHeight / pageHeight };
}

/** Returns an item's position as in the options. Coordinates that the options don't set are taken from the layout. */
export function placeOf({ path, box, text }: Item, options: JsonObject, layout: PreviewLayout) {
  const { across, up } = directions(layout);
  const { x, y, size } = ownOptions(options, path);
  const left = layout.mirrored ? layout.pageWidth - box.x - box.width : box.x;
  return {
    x: typeof x === "number" ? x : rounded(text?.x ?? left * across),
    y: typeof y === "number" ? y : rounded(text?.y ?? (layout.pageHeight - box.y - box.height) * up),
    ...(path === "qr" && { size: typeof size === "number" ? size : rounded(box.width) }),
  };
}

/**
 * Returns the blocks whose printed members all move up or down by the same distance. Such a block is moved as a whole.
 */
function blocksToMove(
  offsets: ReadonlyMap<Item, Offset>,
  items: readonly Item[],
): ReadonlyMap<string, Offset> {
  const moving = new Map([...offsets].map(([{ path }, offset]) => [path, offset]));
  const blocks = groupBy(
    items.filter(({ isPrinted }) => isPrinted),
    ({ block }) => block,
  );
  return new Map(
    [...blocks].flatMap(([block, members]) => {
      const [first, ...others] = members.map(({ path }) => moving.get(path));
      const isBlockMoved =
        first !== undefined && first.y !== 0 && others.every((offset) => offset?.y === first.y);
      return block !== undefined && isBlockMoved ? [[block, first] as const] : [];
    }),
  );
}

function movedBlock(options: JsonObject, block: string, offset: number): JsonObject {
  const room = ownOptions(options, `blocks.${block}`);
  const shifted = Object.entries(room).map(([name, value]) => [
    name,
    typeof value === "number" ? rounded(value + offset) : value,
  ]);
  return withValue(options, `blocks.${block}`, Object.fromEntries(shifted));
}

/**
 * Returns how an item can be resized: only its width, both sides independently, or both in proportion; undefined if the
 * item can't be resized.
 */
export function resizing(
  { kind, path }: Pick<Item, "kind" | "path">,
  options: JsonObject,
): "width" | "both" | "square" | undefined {
  if (kind === "text" || kind === "facts" || kind === "signatures") return "width";
  if (kind === "shape") return valueAt(options, `${path}.kind`) === "path" ? undefined : "both";
  return kind === "logo" ? "both" : "square";
}

/**
 * Resizes an item. A text, the facts and the signatures keep their alignment point, and all other items their top left
 * corner.
 */
export function resized(options: JsonObject, layout: PreviewLayout, item: Item, by: Offset): JsonObject {
  const { across, up } = directions(layout);
  const { path, kind, box, text } = item;
  const own = ownOptions(options, path);
  const at = placeOf(item, options, layout);
  const number = (name: string, otherwise: number) => (typeof own[name] === "number" ? own[name] : otherwise);
  const write = (next: Readonly<Record<string, number>>) =>
    withValue(options, path, {
      ...own,
      ...Object.fromEntries(Object.entries(next).map(([name, value]) => [name, rounded(value)])),
    });
  switch (kind) {
    case "text":
    case "facts":
    case "signatures": {
      const name = kind === "text" ? "max_width" : "width";
      // A left-aligned text grows to the right, a centred one on both sides, and a right-aligned one to the left.
      const sides = [1, 2, -1][alignShare(text?.align ?? own.align) * 2] ?? 1;
      return write({
        [name]: Math.max(MIN_SIZE, number(name, text?.room || box.width * across) + by.x * sides * across),
      });
    }
    case "qr":
    case "seal": {
      const size = number("size", box.width);
      const next = Math.max(kind === "qr" ? 20 : MIN_SIZE, size + Math.max(by.x, by.y));
      return write({
        size: next,
        x: at.x - (layout.mirrored ? next - size : 0),
        y: at.y - (next - size),
      });
    }
    case "image": {
      const share = Math.max(MIN_SIZE, box.width + by.x) / box.width;
      const [width, height] = [number("width", box.width), number("height", box.height)];
      return write({
        width: width * share,
        ...(own.height !== undefined && { height: height * share }),
        x: at.x - (layout.mirrored ? width * (share - 1) : 0),
        y: at.y - box.height * (share - 1),
      });
    }
    case "logo":
    case "shape": {
      const [width, height] = [number("width", 0), number("height", 0)];
      const wider = Math.max(kind === "logo" ? MIN_SIZE : 0, width + by.x * across);
      const higher = Math.max(kind === "logo" ? MIN_SIZE : 0, height + by.y * up);
      return write({
        width: wider,
        height: higher,
        x: at.x - (layout.mirrored ? wider - width : 0),
        y: at.y - (higher - height),
      });
    }
  }
}

/** Minimum size in points. A smaller item would be hard to select. */
const MIN_SIZE = 8;

/** Rounds to hundredths of a millimetre, as the fields do. Converting a field's value back gives the same number. */
export function rounded(points: number): number {
  const hundredths = Math.round((points / POINTS_IN_MM) * 100);
  return Math.round(hundredths * POINTS_IN_MM) / 100;
}

function isNoticeable(offset: number): boolean {
  return Math.abs(offset) >= 0.005;
}

export type Edge = "left" | "center" | "right" | "top" | "middle" | "bottom";

/** Returns the offsets that align items with an edge of the rectangle. */
export function aligned(items: readonly Item[], edge: Edge, within: Rectangle): ReadonlyMap<Item, Offset> {
  const share = { left: 0, top: 0, center: 0.5, middle: 0.5, right: 1, bottom: 1 }[edge];
  const isAcross = ["left", "center", "right"].includes(edge);
  return new Map(
    items.map((item) => {
      const { box } = item;
      const x = within.x + (within.width - box.width) * share - box.x;
      const y = within.y + (within.height - box.height) * share - box.y;
      return [item, isAcross ? { x, y: 0 } : { x: 0, y }];
    }),
  );
}

/** Returns the offsets that make the distances between items equal. The two outermost items don't move. */
export function distributed(items: readonly Item[], axis: "x" | "y"): ReadonlyMap<Item, Offset> {
  const side = axis === "x" ? "width" : "height";
  const sorted = [...items].sort((one, other) => one.box[axis] - other.box[axis]);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return new Map();
  const span = last.box[axis] + last.box[side] - first.box[axis];
  const gap = (span - sorted.reduce((total, { box }) => total + box[side], 0)) / (sorted.length - 1);
  let next = first.box[axis];
  return new Map(
    sorted.map((item) => {
      const offset = { x: 0, y: 0, [axis]: next - item.box[axis] };
      next += item.box[side] + gap;
      return [item, offset];
    }),
  );
}

/** A line to which items snap, in points from the left or from the top. */
export interface Guide {
  readonly axis: "x" | "y";
  readonly at: number;
}

/**
 * Snaps an offset to the nearest edge or middle of the page, its margins or another item. If none is near, snaps the
 * anchor to half millimetres.
 * @param anchor the point whose position the fields show
 * @param reach maximum distance in points
 */
export function snapToGuides(
  box: Rectangle,
  anchor: Offset,
  offset: Offset,
  lines: readonly Guide[],
  reach: number,
): { readonly offset: Offset; readonly guides: readonly Guide[] } {
  const parts = (["x", "y"] as const).map((axis) => {
    const start = box[axis];
    const size = axis === "x" ? box.width : box.height;
    const nearest = lines
      .filter((line) => line.axis === axis)
      .flatMap((line) =>
        [0, 0.5, 1].map((share) => ({ line, off: line.at - (start + size * share + offset[axis]) })),
      )
      .sort((one, other) => Math.abs(one.off) - Math.abs(other.off))[0];
    if (nearest && Math.abs(nearest.off) <= reach)
      return { offset: offset[axis] + nearest.off, guide: nearest.line };
    const step = POINTS_IN_MM / 2;
    return {
      offset: Math.round((anchor[axis] + offset[axis]) / step) * step - anchor[axis],
      guide: undefined,
    };
  });
  return {
    offset: { x: parts[0]?.offset ?? 0, y: parts[1]?.offset ?? 0 },
    guides: parts.flatMap(({ guide }) => guide ?? []),
  };
}

export function withinMargins({ pageWidth, pageHeight, margin }: PreviewLayout): Rectangle {
  return { x: margin, y: margin, width: pageWidth - 2 * margin, height: pageHeight - 2 * margin };
}

export function guidesOf(layout: PreviewLayout, others: readonly Item[]): readonly Guide[] {
  const page = { x: 0, y: 0, width: layout.pageWidth, height: layout.pageHeight };
  return [
    page,
    withinMargins(layout),
    ...others.filter(({ isPrinted }) => isPrinted).map(({ box }) => box),
  ].flatMap((box) =>
    [0, 0.5, 1].flatMap((share): Guide[] => [
      { axis: "x", at: box.x + box.width * share },
      { axis: "y", at: box.y + box.height * share },
    ]),
  );
}
