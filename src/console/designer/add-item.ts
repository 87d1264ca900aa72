import type { JsonObject } from "@bufbuild/protobuf";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { valueAt, withValue } from "../options/change-options.js";
import { isJsonObject } from "../options/read-options.js";
import { withRoomBelow } from "./blocks.js";
import { isObstacle } from "./collisions.js";
import { type Item, ownOptions, type Rectangle } from "./items.js";
import { placeOf, rounded } from "./move-items.js";

export type Addition =
  | "text"
  | "placeholder"
  | "image"
  | "line"
  | "rectangle"
  | "logo"
  | "facts"
  | "signatures"
  | "seal"
  | "qr";

/** Texts that every document contains unless they are removed, with their contents if the options set none. */
export const DEFAULT_TEXTS: Readonly<Record<string, string>> = {
  name: "{name}",
  context: "{context_name}",
  date: "{issue_date}",
};
const defaultPaths = Object.keys(DEFAULT_TEXTS).map((key) => `text_elements.${key}`);

/** How much lower the next position for a picture is, once there is no room to the right, in points. */
const STEP = 12;
/** Text size of a new text, and the gap between a new element and the element above it, in points. */
const NEW_SIZE = 16;
const GAP = 8;
/** Assumed width of a new text, whose content is unknown, as a share of the page's width. */
const TYPICAL_WIDTH_SHARE = 0.3;
/** How far letters extend above and below the baseline, as shares of the text size. */
const [ABOVE, BELOW] = [0.8, 0.25];

interface Added {
  readonly options: JsonObject;
  readonly path: string;
}

interface Surroundings {
  readonly layout: PreviewLayout;
  readonly items: readonly Item[];
  /** The item below which the new element is placed. */
  readonly selected?: Item | undefined;
}

/**
 * Returns the options with a new element. A text is below the selected item and in that item's block, and a shape is
 * below the selected item; without a selection, both are in free space. Other elements have usual positions.
 * @param wantedName name of the text or file that the element shows
 */
export function addElement(
  options: JsonObject,
  what: Addition,
  surroundings: Surroundings,
  wantedName: string,
): Added {
  const { drawnWidth, drawnHeight } = surroundings.layout;
  const middle = Math.round(drawnWidth / 2);
  const addTo = (path: string, value: JsonObject): Added => ({
    options: withValue(options, path, value),
    path,
  });
  switch (what) {
    case "text":
    case "placeholder":
      return addText(options, surroundings, wantedName);
    case "image":
      return addImage(options, surroundings, wantedName);
    case "line":
      return addToList(options, "shapes", {
        kind: "line",
        ...placeFor(surroundings, 200, 1),
        width: 200,
        weight: 0.75,
        color: "accent",
      });
    case "rectangle":
      return addToList(options, "shapes", {
        kind: "rectangle",
        ...placeFor(surroundings, 200, 100),
        width: 200,
        height: 100,
        weight: 0.75,
        color: "accent",
      });
    case "logo": {
      const placed = addTo("places.logo", { x: middle - 60, y: drawnHeight - 110, width: 120, height: 60 });
      return { ...placed, options: withValue(placed.options, "logo", wantedName) };
    }
    case "facts":
      return addTo("places.facts", {
        x: middle,
        y: Math.round(drawnHeight * 0.32),
        width: Math.round(drawnWidth * 0.6),
      });
    case "signatures":
      return addTo("places.signatures", {
        x: middle,
        y: 90,
        width: Math.round(drawnWidth * 0.5),
        line: "ink/50",
      });
    case "seal":
      return addTo("places.seal", { x: 64, y: 62, size: 84, look: "ring" });
    case "qr":
      return addTo("qr", { x: drawnWidth - 124, y: 62, size: 60 });
  }
}

function addToList(options: JsonObject, list: string, value: JsonObject): Added {
  const before = valueAt(options, list);
  const entries = Array.isArray(before) ? before : [];
  return { options: withValue(options, list, [...entries, value]), path: `${list}.${entries.length}` };
}

/** Adds a text. A text that every document contains is shown again if it was removed. */
function addText(options: JsonObject, surroundings: Surroundings, wantedText: string): Added {
  const hidden = hiddenTexts(options).find((path) => wantedText === defaultTextOf(path));
  const path = hidden ?? `text_elements.${findFreeName(options)}`;
  const line = lineBelow(options, surroundings, NEW_SIZE);
  return {
    options: withValue(line.options, path, {
      ...(hidden === undefined && { text: wantedText }),
      ...line.place,
      size: NEW_SIZE,
      max_width: Math.round(surroundings.layout.drawnWidth * 0.6),
    }),
    path,
  };
}

/** Shows the file in the first image that has none yet. If all have one, adds an image. */
function addImage(options: JsonObject, surroundings: Surroundings, asset: string): Added {
  const taken = Array.isArray(options.images) ? options.images : [];
  const empty = taken.findIndex((each) => isJsonObject(each) && each.asset === undefined);
  if (empty >= 0) {
    const path = `images.${empty}`;
    return { options: withValue(options, `${path}.asset`, asset), path };
  }
  const { drawnWidth, drawnHeight } = surroundings.layout;
  /**
   * Returns the position to try next for a picture: further to the right, or else at the left edge and slightly lower.
   */
  const nextPosition = (at: { readonly x: number; readonly y: number }) =>
    at.x + 220 < drawnWidth ? { ...at, x: at.x + 120 } : { x: 60, y: at.y - STEP };
  let at = surroundings.selected
    ? placeFor(surroundings, 100, 60)
    : { x: Math.round(drawnWidth / 2) - 50, y: Math.round(drawnHeight * 0.75) }; // crests are usually above the name
  while (taken.some((each) => isJsonObject(each) && each.x === at.x && each.y === at.y))
    at = nextPosition(at);
  return addToList(options, "images", { asset, ...at, width: 100 });
}

/**
 * Returns the position for a new line of text below the selected item, and the options with room for the line. If the
 * item is in a block, the line joins the block, and the members below the line move down.
 * @param size text size in points
 */
function lineBelow(
  options: JsonObject,
  surroundings: Surroundings,
  size: number,
): { readonly options: JsonObject; readonly place: JsonObject } {
  const { layout, selected } = surroundings;
  const align = selected?.text?.align;
  if (selected?.block === undefined) {
    const width = layout.drawnWidth * TYPICAL_WIDTH_SHARE;
    const { x, y } = placeFor(surroundings, width, size * (ABOVE + BELOW));
    const isAside = selected !== undefined && (align === "left" || align === "right");
    const across: JsonObject = isAside
      ? { x: placeOf(selected, options, layout).x, align }
      : { x: rounded(x + width / 2) };
    return { options, place: { ...across, y: rounded(y + size * BELOW) } };
  }
  const { x, y } = placeOf(selected, options, layout);
  const below = selected.text ? selected.text.requestedSize * BELOW : 0;
  return {
    options: withRoomBelow(options, selected.block, y, size * (ABOVE + BELOW) + GAP),
    place: {
      x,
      y: rounded(y - below - GAP - size * ABOVE),
      ...(align !== undefined && { align }),
      block: selected.block,
    },
  };
}

/**
 * Returns the lower left corner of a free area below the selected item or, if nothing is selected, in the middle of the
 * page. If there is no free area below, returns one above.
 */
function placeFor({ layout, items, selected }: Surroundings, width: number, height: number) {
  const { pageWidth, pageHeight, drawnWidth, drawnHeight, mirrored, margin } = layout;
  const [across, up] = [pageWidth / drawnWidth, pageHeight / drawnHeight];
  const size = { width: width * across, height: height * up };
  const from = selected?.box ?? { x: 0, y: pageHeight / 2, width: pageWidth, height: -size.height / 2 - GAP };
  const middle = from.x + from.width / 2;
  const x = Math.max(margin, Math.min(pageWidth - margin - size.width, middle - size.width / 2));
  /** Returns undefined if there is no free area within the margins. */
  const free = (first: number, next: (box: Rectangle) => number) => {
    let y = first;
    for (let tries = 0; tries <= items.length; tries++) {
      if (y < margin || y + size.height > pageHeight - margin) return undefined;
      const [inTheWay] = items.filter((item) => isObstacle(item, { x, y, ...size }));
      if (!inTheWay) return y;
      y = next(inTheWay.box);
    }
    return undefined;
  };
  const below = from.y + from.height + GAP;
  const y =
    free(below, (box) => box.y + box.height + GAP) ??
    free(from.y - GAP - size.height, (box) => box.y - GAP - size.height) ??
    Math.min(below, pageHeight - size.height);
  const left = mirrored ? pageWidth - x - size.width : x;
  return { x: rounded(left / across), y: rounded((pageHeight - y - size.height) / up) };
}

/** Returns a text's content, with placeholders. */
export function textTemplateOf(path: string, options: JsonObject): string {
  const { text } = ownOptions(options, path);
  return typeof text === "string" ? text : (defaultTextOf(path) ?? "");
}

function defaultTextOf(path: string): string | undefined {
  return DEFAULT_TEXTS[path.replace("text_elements.", "")];
}

export function findFreeName(options: JsonObject): string {
  const taken = ownOptions(options, "text_elements");
  for (let number = 1; ; number++) if (!Object.hasOwn(taken, `text_${number}`)) return `text_${number}`;
}

export function removeElements(options: JsonObject, paths: readonly string[]): JsonObject {
  // Removes later elements of a list first, so that the indexes of the earlier ones stay valid.
  const sorted = [...paths].sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return sorted.reduce(
    (left, path) => withValue(left, path, isPrintedByDefault(path) ? false : undefined),
    options,
  );
}

/** Returns whether the element is printed by default. It can then be removed only by setting its option to false. */
function isPrintedByDefault(path: string): boolean {
  return path === "qr" || defaultPaths.includes(path);
}

/** Returns whether the design is the built-in one, which arranges all elements automatically. */
export function isBuiltInDesign(options: JsonObject): boolean {
  return options.paper === undefined && options.template === undefined;
}

/** Returns the path of an element that a page can have only once; undefined if the page doesn't have it. */
export function pathOfOnly(options: JsonObject, what: Addition): string | undefined {
  if (what === "qr") return isJsonObject(options.qr) || options.qr === true ? "qr" : undefined;
  const path = `places.${what}`;
  return valueAt(options, path) === undefined ? undefined : path;
}

/** Returns whether no visible text contains the learner's name. */
export function isWithoutName(options: JsonObject): boolean {
  const texts: JsonObject = { name: {}, ...ownOptions(options, "text_elements") };
  return !Object.entries(texts).some(([key, element]) => {
    if (element === false || (isJsonObject(element) && element.hidden === true)) return false;
    const text = isJsonObject(element) ? element.text : undefined;
    return text === undefined ? key === "name" : String(text).includes("{name}");
  });
}

export function hiddenTexts(options: JsonObject): readonly string[] {
  return defaultPaths.filter((path) => valueAt(options, path) === false);
}
