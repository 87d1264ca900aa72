import { format, type Message } from "#foundation/languages/message.js";
import { isolated } from "../components/isolated.js";
import type { Chapters } from "../i18n/load-chapter.js";
import type { HelpLine } from "./option-schema.js";

/** Matches placeholders, JSON, `\\n` and URLs. Their direction is left to right in every language. */
const LEFT_TO_RIGHT = /\{["A-Za-z][^{}]*\}|\\n|https?:\/\/\S*/g;

/** Returns the translated help; undefined if the chapter lacks one of its lines. */
export function translatedHelp(lines: readonly HelpLine[], helps: Chapters["helps"]): string | undefined {
  const texts = lines.map(({ id, values }) => {
    const message = (helps as Readonly<Record<string, string | Message<object>>>)[id];
    return message && format(message, values).replaceAll(LEFT_TO_RIGHT, isolated);
  });
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join("\n");
}
