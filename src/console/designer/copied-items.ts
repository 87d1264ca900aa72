import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { valueAt, withValue } from "../options/change-options.js";
import { isJsonObject } from "../options/read-options.js";
import { DEFAULT_TEXTS, findFreeName } from "./add-item.js";
import { freeGroup } from "./arrange.js";
import { ownOptions } from "./items.js";

/** Identifies a text in the clipboard as copied elements. */
const KIND = "learning-credentials-elements";
/** Maximum length of the text. All elements of a design need less. */
const MAX_CHARACTERS = 1_000_000;
/** Distance of a copy from an element at the same position, in points. */
const STEP = 12;

/** Lists whose elements can be copied. Any other element, such as the logo or the QR code, can exist only once. */
const LISTS = ["text_elements", "images", "shapes"];

interface Copied {
  readonly list: string;
  readonly value: JsonObject;
}

/** Returns whether the element can be copied: the page has its position, and can have several such elements. */
export function isCopyable(options: JsonObject, path: string): boolean {
  return LISTS.includes(path.split(".")[0] ?? "") && typeof ownOptions(options, path).y === "number";
}

/** Returns elements as a text for the clipboard; undefined if none of them can be copied. */
export function copyElements(options: JsonObject, paths: readonly string[]): string | undefined {
  const copyable = paths.filter((path) => isCopyable(options, path));
  const elements = copyable.map((path): Copied => {
    const [list = "", name = ""] = path.split(".");
    const { block: _, locked: __, ...rest } = ownOptions(options, path);
    const text = list === "text_elements" ? (rest.text ?? DEFAULT_TEXTS[name]) : undefined;
    return { list, value: { ...rest, ...(text !== undefined && { text }) } };
  });
  return elements.length > 0 ? JSON.stringify({ kind: KIND, elements }) : undefined;
}

/**
 * Pastes copied elements, moved slightly if an element is already at exactly the same position. Returns the new options
 * and the paths of the copies; undefined if the text contains no copied elements.
 */
export function pasteElements(
  options: JsonObject,
  text: string | undefined,
): { readonly options: JsonObject; readonly paths: readonly string[] } | undefined {
  const elements = text === undefined ? [] : readCopied(text);
  if (elements.length === 0) return undefined;
  const taken = new Set(
    LISTS.flatMap((list) => Object.values(valueAt(options, list) ?? {}).map(placeOf)).filter(Boolean),
  );
  let step = 0;
  const shifted = ({ x, y, ...rest }: JsonObject) => ({
    ...rest,
    ...(typeof x === "number" && { x: x + step }),
    ...(typeof y === "number" && { y: y - step }),
  });
  while (elements.some(({ value }) => taken.has(placeOf(shifted(value))))) step += STEP;
  let changed = options;
  const groups = new Map<JsonValue, string>();
  const paths = elements.map(({ list, value }) => {
    const { group, ...rest } = shifted(value) as JsonObject;
    if (group !== undefined && !groups.has(group)) groups.set(group, freeGroup(changed));
    const entries = valueAt(changed, list);
    const name =
      list === "text_elements" ? findFreeName(changed) : String(Array.isArray(entries) ? entries.length : 0);
    const path = `${list}.${name}`;
    const copy = { ...rest, ...(group !== undefined && { group: groups.get(group) ?? "" }) };
    changed =
      list === "text_elements"
        ? withValue(changed, path, copy)
        : withValue(changed, list, [...(Array.isArray(entries) ? entries : []), copy]);
    return path;
  });
  return { options: changed, paths };
}

function placeOf(value: JsonValue): string | undefined {
  return isJsonObject(value) ? `${value.x} ${value.y}` : undefined;
}

function readCopied(text: string): readonly Copied[] {
  if (text.length > MAX_CHARACTERS || !text.includes(KIND)) return [];
  try {
    const read: unknown = JSON.parse(text);
    const elements =
      isJsonObject(read) && read.kind === KIND && Array.isArray(read.elements) ? read.elements : [];
    return elements.flatMap((each) =>
      isJsonObject(each) && LISTS.includes(String(each.list)) && isJsonObject(each.value)
        ? [{ list: String(each.list), value: each.value }]
        : [],
    );
  } catch {
    return []; // the text names the kind, but isn't JSON
  }
}
