import { textFor } from "#foundation/languages/message.js";
import type { Chapters } from "../i18n/load-chapter.js";

/** Describes what a placeholder prints; returns the placeholder itself if there is no description. */
export function meaningOfPlaceholder(placeholder: string, words: Chapters["designer"]): string {
  const name = placeholder.slice(1, -1);
  const [, kind, key = ""] = /^(grade|learner)\.(.+)$/.exec(name) ?? [];
  if (kind === "grade") return words.gradeIn({ type: key });
  if (kind === "learner") return words.attribute({ attribute: key });
  return textFor(words.placeholders, name) ?? textFor(words.texts, name) ?? placeholder;
}
