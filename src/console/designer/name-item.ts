import type { JsonObject } from "@bufbuild/protobuf";
import { textFor } from "#foundation/languages/message.js";
import { shorten } from "#foundation/shorten.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { valueAt } from "../options/change-options.js";
import type { Item } from "./items.js";
import { meaningOfPlaceholder } from "./placeholder-meaning.js";

const MAX_NAME_LENGTH = 40;

/**
 * Returns a name for an item. A default text has its label as name. Any other text is named after what it prints, and
 * an item of another kind after its kind.
 */
export function nameOfItem(
  { path, kind, text }: Pick<Item, "path" | "kind" | "text">,
  options: JsonObject,
  words: Chapters["designer"],
  optionNames: Readonly<Record<string, string>>,
): string {
  const textAt = (name: string) => {
    const value = valueAt(options, `${path}.${name}`);
    return typeof value === "string" ? value : "";
  };
  const fixedName = textFor(words.texts, path.slice(path.indexOf(".") + 1));
  switch (kind) {
    case "text":
      return (
        fixedName ??
        (text?.words ? words.quoted({ text: inOneLine(text.words) }) : inWords(textAt("text"), words))
      );
    case "image":
      return `${nameOfKind(kind, words, optionNames)} ${textAt("asset")}`.trim();
    case "shape":
      return nameOfKind(textAt("kind"), words, optionNames);
    default:
      return nameOfKind(kind, words, optionNames);
  }
}

/** Describes a text that prints nothing: the text itself, with descriptions instead of placeholders. */
function inWords(template: string, words: Chapters["designer"]): string {
  const text = template.replace(/\{[^{}]+\}/g, (placeholder) => meaningOfPlaceholder(placeholder, words));
  if (text.trim() === "") return nameOfKind("text", words, {});
  return text === template ? words.quoted({ text: inOneLine(text) }) : inOneLine(text);
}

export function nameOfKind(
  kind: string,
  { kinds }: Chapters["designer"],
  optionNames: Readonly<Record<string, string>>,
): string {
  return textFor(kinds, kind) ?? optionNames[kind] ?? kind;
}

function inOneLine(text: string): string {
  return shorten(text.replaceAll("\n", " "), MAX_NAME_LENGTH);
}
