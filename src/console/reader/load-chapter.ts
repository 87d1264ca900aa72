/// <reference types="vite/types/importMeta.d.ts" />
import type { LanguageTag } from "../../languages/list.js";
import type { ConsoleWording } from "../languages/en/core.js";
import type { DesigningWording } from "../languages/en/designing.js";
import type { ExplanationsWording } from "../languages/en/explanations.js";
import type { MailsWording } from "../languages/en/mails.js";
import type { ReplacementWording } from "../languages/en/replacement.js";

/** The words of the console by chapter: `core` is always needed, the others on few pages. */
export interface Chapters {
  readonly core: ConsoleWording;
  readonly designing: DesigningWording;
  readonly explanations: ExplanationsWording;
  readonly mails: MailsWording;
  readonly replacement: ReplacementWording;
}

/** `core` brings along its parts, `issuing` and `webhooks`. */
const files = import.meta.glob<Chapters[keyof Chapters]>(
  ["../languages/*/*.ts", "!../languages/*/issuing.ts", "!../languages/*/webhooks.ts"],
  { import: "words" },
);

/** Loads the words of a chapter in one language. */
export async function loadChapter<C extends keyof Chapters>(
  chapter: C,
  tag: LanguageTag,
): Promise<Chapters[C]> {
  const load = files[`../languages/${tag}/${chapter}.ts`];
  if (!load) throw new Error(`the console has no ${chapter} in ${tag}`);
  return (await load()) as Chapters[C];
}
