import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { REQUIREMENTS } from "#foundation/text/merge-options.js";
import { isolated } from "../components/isolated.js";
import { kindOf } from "../designer/items.js";
import { nameOfItem } from "../designer/name-item.js";
import { meaningOfPlaceholder } from "../designer/placeholder-meaning.js";
import { useChapter, useFormats, useList } from "../i18n/words.js";
import { choiceName, useLateChapter } from "../options/late-words.js";
import { labelOf } from "../options/option-input.js";
import { isJsonObject } from "../options/read-options.js";
import { useFunctions } from "../options/use-functions.js";
import { useTreeSentence } from "../requirements/use-sentences.js";
import type { ValuePath } from "./merge-versions.js";

const isPosition = (part: string) => /^\d+$/.test(part);

/** Returns whether a path within the options leads to an element of the design. */
function isElement([group = "", ...rest]: ValuePath): boolean {
  const isGroup = ["text_elements", "images", "shapes", "places"].includes(group);
  return isGroup ? rest.length === 1 : group === "qr" && rest.length === 0;
}

/**
 * Returns functions that name and describe parts of a type or configuration as the designer and the form do.
 * @param options the options, including inherited ones
 * @param fieldName returns the label of a field that isn't an option
 */
export function useValueWords(options: JsonObject, fieldName: (field: string) => string | undefined) {
  const words = useChapter("designing");
  const designer = useChapter("designer");
  const choices = useLateChapter("choices");
  const { colon, number } = useFormats();
  const list = useList();
  const treeSentence = useTreeSentence(options);
  const { meaningOf } = useFunctions();

  /** Names the last part of a path within the options: an element as in the list of layers, an option by its label. */
  function partName(path: ValuePath): string {
    const [group = ""] = path;
    const part = path.at(-1) ?? "";
    const kind = isElement(path) ? kindOf(path.join(".")) : undefined;
    if (kind)
      return nameOfItem(
        { path: path.join("."), kind, text: undefined },
        options,
        designer,
        words.optionNames,
      );
    if (isPosition(part)) return number(Number(part) + 1);
    const groups = path
      .slice(0, -1)
      .filter((each, at) => !isPosition(each) && !(group === "text_elements" && at === 1));
    return labelOf([...groups, part].join("."), words);
  }

  function nameOf([field = "", ...path]: ValuePath): string {
    if (field !== "options" || path.length === 0) return fieldName(field) ?? field;
    const start = isElement(path.slice(0, 2)) ? 2 : 1;
    return path
      .slice(start - 1)
      .map((_, at) => partName(path.slice(0, start + at)))
      .join(colon);
  }

  /** Describes a value, in one line or, if it contains others, in a line for each of them. */
  function linesOf(path: ValuePath, value: JsonValue | undefined): readonly string[] {
    if (value === undefined || value === null) return [words.absent];
    if (isJsonObject(value) && path.join() === `options,${REQUIREMENTS}`)
      return [treeSentence(value, (key) => key)];
    if (isJsonObject(value) || (Array.isArray(value) && value.some(isJsonObject))) {
      const lines = Object.entries(value).flatMap(([name, inner]) => {
        const own = [...path, name];
        return linesOf(own, inner).map((line) => `${partName(own.slice(1))}${colon}${line}`);
      });
      return lines.length > 0 ? lines : [words.absent];
    }
    return [Array.isArray(value) ? list(value.map((each) => inWords(path, each))) : inWords(path, value)];
  }

  function inWords(path: ValuePath, value: JsonValue): string {
    if (typeof value === "number") return number(value);
    if (typeof value === "boolean") return value ? words.yes : words.no;
    if (typeof value !== "string") return JSON.stringify(value);
    const last = path.at(-1) ?? "";
    if (path[0] !== "options") return last.endsWith("Func") ? meaningOf(value) : isolated(value);
    if (path[1] === "facts") return meaningOfPlaceholder(`{${value}}`, designer);
    return (choices && choiceName(last, value, choices)) ?? isolated(value);
  }

  return { nameOf, linesOf };
}
