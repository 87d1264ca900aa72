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

/** What can be selected on a page. */
export interface Item {
  /** Of the option that places it, such as `text_elements.name` or `images.0`. */
  readonly path: string;
  readonly kind: ItemKind;
  readonly box: Rectangle;
  /** The point that its numbers tell: of a text, where its lines are aligned, on the first baseline. */
  readonly anchor: { readonly x: number; readonly y: number };
  readonly text: PreviewText | undefined;
  /** The block that moves it. */
  readonly block: string | undefined;
  /** Whether it has anything to print with this sample. */
  readonly isPrinted: boolean;
  /** Whether it covers so much that a click on it means what lies on it, or nothing. */
  readonly isGround: boolean;
}

/** A share of the page: what covers more is its ground. */
const GROUND = 0.5;

/** What can be selected, in the order of reading. What a design places by itself can't. */
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

/** The places of parts, where they would stand if there were anything to print. */
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

/** Share of its width by which a text lies to the left of its anchor. */
export function alignShare(align: JsonValue | undefined): number {
  return align === "left" ? 0 : align === "right" ? 1 : 0.5;
}

/** The rectangle around several. */
export function union(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
  return { x, y, width, height };
}

/** Between a box from the bottom and one from the top. */
function flipped({ x, y, width, height }: Rectangle, pageHeight: number): Rectangle {
  return { x, y: pageHeight - y - height, width, height };
}

/** The options of an item; empty for those that have none of their own. */
export function ownOptions(options: JsonObject, path: string): JsonObject {
  const value = valueAt(options, path);
  return isObject(value) ? value : {};
}
