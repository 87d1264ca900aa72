import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { PreviewLayout } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { valueAt, withValue } from "../options/merged-options.js";
import { isObject } from "../options/read-options.js";
import { ownOptions } from "./items.js";

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

interface Added {
  readonly options: JsonObject;
  /** Path of the new element among the options. */
  readonly path: string;
}

/**
 * Returns the options with the new element added in free space, where there is any. @param wantedName the text or file
 * for it
 */
export function added(
  options: JsonObject,
  what: Addition,
  { drawnWidth, drawnHeight }: PreviewLayout,
  wantedName: string,
): Added {
  const [x, y] = [Math.round(drawnWidth / 2), Math.round(drawnHeight / 2)];
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
      return addTo(path, {
        ...(hidden === undefined && { text: wantedName }),
        x,
        y,
        size: 16,
        max_width: Math.round(drawnWidth * 0.6),
      });
    }
    case "image": {
      const taken = Array.isArray(options.images) ? options.images : [];
      let at = { x: x - 50, y: Math.round(drawnHeight * 0.75) }; // above the name, where crests usually are
      while (taken.some((each) => isObject(each) && each.x === at.x && each.y === at.y)) at = beside(at);
      return last("images", { asset: wantedName, ...at, width: 100 });
    }
    case "line":
      return last("shapes", { kind: "line", x: x - 100, y, width: 200, weight: 0.75, color: "accent" });
    case "rectangle":
      return last("shapes", {
        kind: "rectangle",
        x: x - 100,
        y: y - 50,
        width: 200,
        height: 100,
        weight: 0.75,
        color: "accent",
      });
    case "logo": {
      const placed = addTo("places.logo", { x: x - 60, y: drawnHeight - 110, width: 120, height: 60 });
      return { ...placed, options: withValue(placed.options, "logo", wantedName) };
    }
    case "facts":
      return addTo("places.facts", {
        x,
        y: Math.round(drawnHeight * 0.32),
        width: Math.round(drawnWidth * 0.6),
      });
    case "signatures":
      return addTo("places.signatures", { x, y: 90, width: Math.round(drawnWidth * 0.5), line: "ink/50" });
    case "seal":
      return addTo("places.seal", { x: 64, y: 62, size: 84, look: "ring" });
    case "qr":
      return addTo("qr", { x: drawnWidth - 124, y: 62, size: 60 });
  }
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

function freeName(options: JsonObject): string {
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

/**
 * Returns the options with copies of these elements, and the paths of the copies. Places and codes, of which there is
 * only one, are not copied.
 */
export function duplicated(
  options: JsonObject,
  paths: readonly string[],
): { options: JsonObject; paths: string[] } {
  let changed = options;
  const copies = paths.flatMap((path): string[] => {
    const [list = "", name = ""] = path.split(".");
    if (!["text_elements", "images", "shapes"].includes(list)) return [];
    const model = ownOptions(options, path);
    const { block: _, ...rest } = model;
    const beside = (at: JsonValue | undefined, by: number) => (typeof at === "number" ? at + by : undefined);
    const copy = defined({
      ...rest,
      ...(list === "text_elements" && { text: model.text ?? ALWAYS_TEXT[name] }),
      x: beside(model.x, STEP),
      y: beside(model.y, -STEP),
    });
    const entries = valueAt(changed, list);
    if (Array.isArray(entries)) {
      changed = withValue(changed, list, [...entries, copy]);
      return [`${list}.${entries.length}`];
    }
    if (copy.y === undefined) return [];
    const own = `${list}.${freeName(changed)}`;
    changed = withValue(changed, own, copy);
    return [own];
  });
  return { options: changed, paths: copies };
}

function defined(values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
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
