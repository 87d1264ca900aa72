/// <reference types="vite/types/importMeta.d.ts" />
import type { LanguageTag } from "../../languages/list.js";
import type { ConsoleWording } from "../languages/en/core.js";
import type { DesigningWording } from "../languages/en/designing.js";
import type { ExplanationsWording } from "../languages/en/explanations.js";
import type { IssuingWording } from "../languages/en/issuing.js";
import type { MailsWording } from "../languages/en/mails.js";
import type { NamesWording } from "../languages/en/names.js";
import type { ReplacementWording } from "../languages/en/replacement.js";
import type { SetupWording } from "../languages/en/setup.js";
import type { WebhooksWording } from "../languages/en/webhooks.js";

/** The words of the console by chapter: `core` is always needed, the others on few pages. */
export interface Chapters {
  readonly core: ConsoleWording;
  readonly designing: DesigningWording;
  readonly explanations: ExplanationsWording;
  readonly issuing: IssuingWording;
  readonly mails: MailsWording;
  readonly names: NamesWording;
  readonly replacement: ReplacementWording;
  readonly setup: SetupWording;
  readonly webhooks: WebhooksWording;
}

/** The designer loads its words itself. */
const files = import.meta.glob<Chapters[keyof Chapters]>(
  ["../languages/*/*.ts", "!../languages/*/designer.ts"],
  {
    import: "words",
  },
);

/** What was asked for so far, by its path. */
const loading = new Map<string, Promise<Chapters[keyof Chapters]>>();

/** All chapters that `loadChapter` loads. */
export function chapterNames(): (keyof Chapters)[] {
  return [...new Set(Object.keys(files).map(chapterIn))];
}

/** Loads the words of a chapter in one language, once. One that can't be loaded is tried again at the next call. */
export function loadChapter<C extends keyof Chapters>(chapter: C, tag: LanguageTag): Promise<Chapters[C]> {
  const path = `../languages/${tag}/${chapter}.ts`;
  const load = files[path];
  if (!load) throw new Error(`the console has no ${chapter} in ${tag}`);
  const words = loading.get(path) ?? load();
  loading.set(path, words);
  words.catch(() => loading.delete(path));
  return words as Promise<Chapters[C]>;
}

/** Loads all chapters that were asked for so far in another language, so that a page in sight is whole at once. */
export async function loadLanguage(tag: LanguageTag): Promise<ConsoleWording> {
  const chapters = [...loading.keys()].map(chapterIn);
  await Promise.all(chapters.map((chapter) => loadChapter(chapter, tag)));
  return loadChapter("core", tag);
}

function chapterIn(path: string): keyof Chapters {
  return /(\w+)\.ts$/.exec(path)?.[1] as keyof Chapters;
}
