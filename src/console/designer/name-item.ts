import type { JsonObject } from "@bufbuild/protobuf";
import { textFor } from "#foundation/languages/message.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { valueAt } from "../options/merged-options.js";
import type { Item } from "./items.js";
import { meaningOfPlaceholder } from "./placeholder-meaning.js";

/** Maximum length of an item's name; longer texts are cut. */
const LONGEST = 40;

/** Returns the name of an item: the text that it prints, or its kind. */
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
  const known = textFor(words.texts, path.slice(path.indexOf(".") + 1));
  switch (kind) {
    case "text":
      return known ?? (text?.words ? `“${shortened(text.words)}”` : inWords(textAt("text"), words));
    case "image":
      return `${nameOfKind(kind, words, optionNames)} ${textAt("asset")}`;
    case "shape":
      return nameOfKind(textAt("kind"), words, optionNames);
    default:
      return nameOfKind(kind, words, optionNames);
  }
}

/** What a text says that has nothing to print, with placeholders in words. */
function inWords(template: string, words: Chapters["designer"]): string {
  const text = template.replace(/\{[^{}]+\}/g, (placeholder) => meaningOfPlaceholder(placeholder, words));
  if (text.trim() === "") return nameOfKind("text", words, {});
  return text === template ? `“${shortened(text)}”` : shortened(text);
}

/** Returns the name of a kind of item or shape. */
export function nameOfKind(
  kind: string,
  { kinds }: Chapters["designer"],
  optionNames: Readonly<Record<string, string>>,
): string {
  return textFor(kinds, kind) ?? optionNames[kind] ?? kind;
}

function shortened(text: string): string {
  const line = text.replaceAll("\n", " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
