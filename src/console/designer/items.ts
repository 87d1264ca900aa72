import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { groupBy } from "#foundation/group-by.js";
import type {
  PreviewElement,
  PreviewLayout,
  PreviewText,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { valueAt } from "../options/change-options.js";
import { isJsonObject } from "../options/read-options.js";

/** In points from the top left corner of the page. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type ItemKind = "text" | "image" | "qr" | "logo" | "facts" | "signatures" | "seal" | "shape";

export interface Item {
  /** Path of the option, for example `text_elements.name` or `images.0`. */
  readonly path: string;
  readonly kind: ItemKind;
  readonly box: Rectangle;
  /** The point that the item's coordinates describe. For a text, the alignment point on the first baseline. */
  readonly anchor: { readonly x: number; readonly y: number };
  readonly text: PreviewText | undefined;
  readonly block: string | undefined;
  /** Whether the item prints anything with the sample's name and title. */
  readonly isPrinted: boolean;
  /** Whether the item is as large as a background. Such an item can't be selected by a click on the page. */
  readonly isGround: boolean;
  readonly isHidden: boolean;
  readonly isLocked: boolean;
  /** The group to which the item belongs. Its items are selected together. */
  readonly group: string | undefined;
}

/** An item that covers at least this share of the page is treated as background. */
const MIN_BACKGROUND_SHARE = 0.5;

/** Returns the items that can be selected, in reading order, shapes last. Omits automatically positioned elements. */
export function itemsOf(layout: PreviewLayout, options: JsonObject): readonly Item[] {
  const groups = groupBy(
    layout.elements.filter(({ option }) => option !== ""),
    ({ option }) => option,
  );
  const printed = [...groups].flatMap(([path, elements]) => {
    const kind = kindOf(path);
    return kind ? [itemOf(path, kind, elements, layout, options)] : [];
  });
  const all = [...printed, ...emptyBoxes(layout, options).filter(({ path }) => !groups.has(path))];
  return [...all.filter(({ kind }) => kind !== "shape"), ...all.filter(({ kind }) => kind === "shape")];
}

export function marksOf(options: JsonObject, path: string): Pick<Item, "isHidden" | "isLocked" | "group"> {
  const { hidden, locked, group } = ownOptions(options, path);
  return {
    isHidden: hidden === true,
    isLocked: locked === true,
    group: typeof group === "string" ? group : undefined,
  };
}

/**
 * Returns an item for each place and for a hidden QR code. The caller uses those items for which this sample prints
 * nothing.
 */
function emptyBoxes(layout: PreviewLayout, options: JsonObject): readonly Item[] {
  const { pageWidth, pageHeight, drawnWidth, drawnHeight, mirrored } = layout;
  const [across, up] = [pageWidth / drawnWidth, pageHeight / drawnHeight];
  const isArranged = options.paper !== undefined || options.template !== undefined;
  const places = isArranged ? Object.keys(ownOptions(options, "places")).map((name) => `places.${name}`) : [];
  return [...places, ...(marksOf(options, "qr").isHidden ? ["qr"] : [])].flatMap((path) => {
    const kind = kindOf(path);
    const own = ownOptions(options, path);
    const number = (option: string, otherwise: number) =>
      typeof own[option] === "number" ? own[option] : otherwise;
    const isSquare = kind === "seal" || kind === "qr";
    const side = number("size", 0);
    const [width, height] = [number("width", side) * across, number("height", isSquare ? side : 30)];
    const isRow = kind === "facts" || kind === "signatures";
    const left = number("x", 0) * across - (isRow ? width * alignShare(own.align ?? "center") : 0);
    const box = { x: mirrored ? pageWidth - left - width : left, y: number("y", 0) * up, width, height };
    const { block } = own;
    return kind
      ? [
          {
            path,
            kind,
            box: flipped(box, pageHeight),
            anchor: flipped(box, pageHeight),
            text: undefined,
            block: typeof block === "string" ? block : undefined,
            isPrinted: false,
            isGround: false,
            ...marksOf(options, path),
          },
        ]
      : [];
  });
}

function itemOf(
  path: string,
  kind: ItemKind,
  elements: readonly PreviewElement[],
  { pageWidth, pageHeight }: PreviewLayout,
  options: JsonObject,
): Item {
  const box = flipped(union(elements), pageHeight);
  const text = kind === "text" ? elements[0]?.text : undefined;
  const at = text && { x: box.x + box.width * alignShare(text.align), y: pageHeight - text.baseline };
  const block = valueAt(options, `${path}.block`);
  const marks = marksOf(options, path);
  return {
    path,
    kind,
    box,
    anchor: at ?? box,
    text,
    block: typeof block === "string" ? block : undefined,
    isPrinted: !marks.isHidden && (text === undefined || text.words !== ""),
    isGround: box.width * box.height > pageWidth * pageHeight * MIN_BACKGROUND_SHARE,
    ...marks,
  };
}

const kinds: Readonly<Record<string, ItemKind>> = {
  text_elements: "text",
  images: "image",
  shapes: "shape",
  qr: "qr",
  "places.logo": "logo",
  "places.facts": "facts",
  "places.signatures": "signatures",
  "places.seal": "seal",
};

/** Returns the kind of the item at a path; undefined for other options. */
export function kindOf(path: string): ItemKind | undefined {
  return kinds[path] ?? kinds[path.slice(0, path.indexOf("."))];
}

/** Returns the share of a text's width that is to the left of its alignment point. */
export function alignShare(align: JsonValue | undefined): number {
  return align === "left" ? 0 : align === "right" ? 1 : 0.5;
}

export function union(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
  return { x, y, width, height };
}

/** Converts between coordinates from the bottom and coordinates from the top of the page. */
function flipped({ x, y, width, height }: Rectangle, pageHeight: number): Rectangle {
  return { x, y: pageHeight - y - height, width, height };
}

/** Returns an item's own options; empty if it has none. */
export function ownOptions(options: JsonObject, path: string): JsonObject {
  const value = valueAt(options, path);
  return isJsonObject(value) ? value : {};
}
