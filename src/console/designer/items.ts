import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type {
  PreviewElement,
  PreviewLayout,
  PreviewText,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { valueAt } from "../options/merged-options.js";
import { isObject } from "../options/read-options.js";

/** A rectangle on the page in points, from its top left corner. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type ItemKind = "text" | "image" | "qr" | "logo" | "facts" | "signatures" | "seal" | "shape";

/** An element that can be selected on a page. */
export interface Item {
  /** Path of the option that places it, for example `text_elements.name` or `images.0`. */
  readonly path: string;
  readonly kind: ItemKind;
  readonly box: Rectangle;
  /** The point that its coordinates describe; for a text, the alignment point on the first baseline. */
  readonly anchor: { readonly x: number; readonly y: number };
  readonly text: PreviewText | undefined;
  /** The block that determines its position. */
  readonly block: string | undefined;
  /** Whether it prints anything with this sample. */
  readonly isPrinted: boolean;
  /** Whether it is so large that a click on it is meant for the items on it, or for nothing. */
  readonly isGround: boolean;
}

/** Share of the page from which an item is treated as background. */
const GROUND = 0.5;

/**
 * Returns the items that can be selected, in reading order. Elements that the design places automatically are not among
 * them.
 */
export function itemsOf(layout: PreviewLayout, options: JsonObject): readonly Item[] {
  const groups = Map.groupBy(
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

/** Returns the places of elements that have nothing to print with this sample. */
function emptyBoxes(layout: PreviewLayout, options: JsonObject): readonly Item[] {
  if (options.paper === undefined && options.template === undefined) return [];
  const { pageWidth, pageHeight, drawnWidth, drawnHeight, mirrored } = layout;
  const [across, up] = [pageWidth / drawnWidth, pageHeight / drawnHeight];
  return Object.keys(ownOptions(options, "places")).flatMap((name) => {
    const path = `places.${name}`;
    const kind = kindOf(path);
    const own = ownOptions(options, path);
    const number = (option: string, otherwise: number) =>
      typeof own[option] === "number" ? own[option] : otherwise;
    const side = number("size", 0);
    const [width, height] = [number("width", side) * across, number("height", name === "seal" ? side : 30)];
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
  return {
    path,
    kind,
    box,
    anchor: at ?? box,
    text,
    block: typeof block === "string" ? block : undefined,
    isPrinted: text === undefined || text.words !== "",
    isGround: box.width * box.height > pageWidth * pageHeight * GROUND,
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

function kindOf(path: string): ItemKind | undefined {
  return kinds[path] ?? kinds[path.slice(0, path.indexOf("."))];
}

/** Returns the share of a text's width that is left of its anchor. */
export function alignShare(align: JsonValue | undefined): number {
  return align === "left" ? 0 : align === "right" ? 1 : 0.5;
}

/** Returns the rectangle around several rectangles. */
export function union(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
  return { x, y, width, height };
}

/** Converts a box between coordinates from the bottom and from the top. */
function flipped({ x, y, width, height }: Rectangle, pageHeight: number): Rectangle {
  return { x, y: pageHeight - y - height, width, height };
}

/** Returns an item's own options; empty if it has none. */
export function ownOptions(options: JsonObject, path: string): JsonObject {
  const value = valueAt(options, path);
  return isObject(value) ? value : {};
}
