import type { JsonObject } from "@bufbuild/protobuf";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { valueAt, withValue } from "../options/merged-options.js";
import { isObject } from "../options/read-options.js";
import { withRoomBelow } from "./blocks.js";
import { isInTheWay } from "./collisions.js";
import { type Item, ownOptions, type Rectangle } from "./items.js";
import { placeOf, rounded } from "./move-items.js";

/** The kinds of elements that can be added to a page. */
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

/** Texts on every document, unless they are removed. */
const ALWAYS = ["name", "context", "date"];

/** Distance of a copy from the original, in points. */
const STEP = 12;
/** The size of a new text, and the space between what is new and what it follows. */
const NEW_SIZE = 16;
const GAP = 8;
/** Share of the page that a text may take before its words are known. */
const TYPICAL = 0.3;
/** Shares of a text's size that its letters take above and below the baseline. */
const [ABOVE, BELOW] = [0.8, 0.25];

interface Added {
  readonly options: JsonObject;
  /** Path of the new element among the options. */
  readonly path: string;
}

/** What is on the page already. */
export interface Surroundings {
  readonly layout: PreviewLayout;
  readonly items: readonly Item[];
  /** What is selected: something new comes below it. */
  readonly selected?: Item | undefined;
}

/**
 * Returns the options with something new: below what is selected and in its block, or where there is room.
 * @param wantedName the text or the file that it shows
 */
export function added(
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
  const last = (list: string, value: JsonObject): Added => {
    const before = valueAt(options, list);
    const entries = Array.isArray(before) ? before : [];
    return { options: withValue(options, list, [...entries, value]), path: `${list}.${entries.length}` };
  };
  /** Returns the next place for a picture: further to the right, or at the left a little lower. */
  const beside = (at: { readonly x: number; readonly y: number }) =>
    at.x + 220 < drawnWidth ? { ...at, x: at.x + 120 } : { x: 60, y: at.y - STEP };
  switch (what) {
    case "text":
    case "placeholder": {
      const hidden = ALWAYS.find(
        (key) => wantedName === ALWAYS_TEXT[key] && valueAt(options, `text_elements.${key}`) === false,
      );
      const path = `text_elements.${hidden ?? freeName(options)}`;
      const line = lineBelow(options, surroundings, NEW_SIZE);
      return {
        options: withValue(line.options, path, {
          ...(hidden === undefined && { text: wantedName }),
          ...line.place,
          size: NEW_SIZE,
          max_width: Math.round(drawnWidth * 0.6),
        }),
        path,
      };
    }
    case "image": {
      const taken = Array.isArray(options.images) ? options.images : [];
      let at = surroundings.selected
        ? placeFor(surroundings, 100, 60)
        : { x: middle - 50, y: Math.round(drawnHeight * 0.75) }; // above the name, where crests stand
      while (taken.some((each) => isObject(each) && each.x === at.x && each.y === at.y)) at = beside(at);
      return last("images", { asset: wantedName, ...at, width: 100 });
    }
    case "line":
      return last("shapes", {
        kind: "line",
        ...placeFor(surroundings, 200, 1),
        width: 200,
        weight: 0.75,
        color: "accent",
      });
    case "rectangle":
      return last("shapes", {
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

/**
 * Returns where a new line of text comes. In a block it makes room for itself: what is below moves down with it.
 * @param size of its letters, in points
 */
function lineBelow(
  options: JsonObject,
  surroundings: Surroundings,
  size: number,
): { readonly options: JsonObject; readonly place: JsonObject } {
  const { layout, selected } = surroundings;
  const align = selected?.text?.align;
  if (selected?.block === undefined) {
    const width = layout.drawnWidth * TYPICAL;
    const { x, y } = placeFor(surroundings, width, size * (ABOVE + BELOW));
    const isAside = selected !== undefined && (align === "left" || align === "right");
    const across: JsonObject = isAside
      ? { x: placeOf(selected, options, layout).x, align }
      : { x: rounded(x + width / 2) };
    return { options, place: { ...across, y: rounded(y + size * BELOW) } };
  }
  const { x, y } = placeOf(selected, options, layout);
  const below = selected.text ? selected.text.askedSize * BELOW : 0;
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

/** Returns the lower left corner of free room: below what is selected or the middle of the page, or else above it. */
function placeFor({ layout, items, selected }: Surroundings, width: number, height: number) {
  const { pageWidth, pageHeight, drawnWidth, drawnHeight, mirrored, margin } = layout;
  const [across, up] = [pageWidth / drawnWidth, pageHeight / drawnHeight];
  const size = { width: width * across, height: height * up };
  const from = selected?.box ?? { x: 0, y: pageHeight / 2, width: pageWidth, height: -size.height / 2 - GAP };
  const middle = from.x + from.width / 2;
  const x = Math.max(margin, Math.min(pageWidth - margin - size.width, middle - size.width / 2));
  /** The nearest place in a direction in which nothing is; undefined if the page ends before. */
  const free = (first: number, next: (box: Rectangle) => number) => {
    let y = first;
    for (let tries = 0; tries <= items.length; tries++) {
      if (y < margin || y + size.height > pageHeight - margin) return undefined;
      const [inTheWay] = items.filter((item) => isInTheWay(item, { x, y, ...size }));
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

/** Default contents of these texts. */
export const ALWAYS_TEXT: Readonly<Record<string, string>> = {
  name: "{name}",
  context: "{context_name}",
  date: "{issue_date}",
};

/** Returns a text's content, with placeholders. */
export function templateOf(path: string, options: JsonObject): string {
  const { text } = ownOptions(options, path);
  return typeof text === "string" ? text : (ALWAYS_TEXT[path.replace("text_elements.", "")] ?? "");
}

/** A name that no text has. */
export function freeName(options: JsonObject): string {
  const taken = ownOptions(options, "text_elements");
  for (let number = 1; ; number++) if (!Object.hasOwn(taken, `text_${number}`)) return `text_${number}`;
}

/** Returns the options without the elements at these paths. */
export function without(options: JsonObject, paths: readonly string[]): JsonObject {
  // The last elements of a list are removed first, so that the indexes of the others don't change.
  const sorted = [...paths].sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return sorted.reduce((left, path) => withValue(left, path, isAlways(path) ? false : undefined), options);
}

/** Returns whether the element is printed unless its option is false. */
function isAlways(path: string): boolean {
  return path === "qr" || ALWAYS.some((key) => path === `text_elements.${key}`);
}

/** Returns whether the options use the built-in design, which arranges everything itself. */
export function isBuiltIn(options: JsonObject): boolean {
  return options.paper === undefined && options.template === undefined;
}

/**
 * Returns the path of an element that can exist only once; undefined if it doesn't exist yet, or can exist several
 * times.
 */
export function pathOfOnly(options: JsonObject, what: Addition): string | undefined {
  if (what === "qr") return isObject(options.qr) || options.qr === true ? "qr" : undefined;
  const path = `places.${what}`;
  return valueAt(options, path) === undefined ? undefined : path;
}

/** Returns the paths of default texts that were removed. */
export function hiddenTexts(options: JsonObject): readonly string[] {
  return ALWAYS.map((key) => `text_elements.${key}`).filter((path) => valueAt(options, path) === false);
}
