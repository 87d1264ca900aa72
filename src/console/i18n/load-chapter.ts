/// <reference types="vite/types/importMeta.d.ts" />
import type { LanguageTag } from "#foundation/languages/list.js";
import type { ConsoleWording } from "../languages/en/core.js";

/** The words of the console by chapter: `core` is always needed, the others on few pages. */
export interface Chapters {
  readonly core: ConsoleWording;
  readonly administration: typeof import("../languages/en/administration.js").words;
  readonly branding: typeof import("../languages/en/branding.js").words;
  readonly designer: typeof import("../languages/en/designer.js").words;
  readonly designing: typeof import("../languages/en/designing.js").words;
  readonly explanations: typeof import("../languages/en/explanations.js").words;
  readonly finding: typeof import("../languages/en/finding.js").words;
  readonly helps: typeof import("../languages/en/helps.js").words;
  readonly history: typeof import("../languages/en/history.js").words;
  readonly issuing: typeof import("../languages/en/issuing.js").words;
  readonly mails: typeof import("../languages/en/mails.js").words;
  readonly names: typeof import("../languages/en/names.js").words;
  readonly replacement: typeof import("../languages/en/replacement.js").words;
  readonly requirements: typeof import("../languages/en/requirements.js").words;
  readonly setup: typeof import("../languages/en/setup.js").words;
  readonly webhooks: typeof import("../languages/en/webhooks.js").words;
}

/** The words of one language: what is always needed, and what loads the others. */
interface Language {
  readonly core: ConsoleWording;
  readonly chapters: Readonly<Record<string, () => Promise<unknown>>>;
}

const languages = import.meta.glob<Language>("../languages/*/index.ts");

/** What was asked for so far, by language and chapter. */
const loading = new Map<string, Promise<Chapters[keyof Chapters]>>();

/** All chapters of a language that `loadChapter` loads. */
export async function chapterNames(tag: LanguageTag): Promise<(keyof Chapters)[]> {
  return Object.keys((await languageOf(tag)).chapters).map(chapterIn);
}

/** Loads the words of a chapter in one language, once. One that can't be loaded is tried again at the next call. */
export function loadChapter<C extends keyof Chapters>(chapter: C, tag: LanguageTag): Promise<Chapters[C]> {
  const path = `${tag}/${chapter}.ts`;
  const words = loading.get(path) ?? readChapter(chapter, tag);
  loading.set(path, words);
  words.catch(() => loading.delete(path));
  return words as Promise<Chapters[C]>;
}

async function readChapter(chapter: keyof Chapters, tag: LanguageTag): Promise<Chapters[keyof Chapters]> {
  const { core, chapters } = await languageOf(tag);
  if (chapter === "core") return core;
  const load = chapters[`./${chapter}.ts`];
  if (!load) throw new Error(`the console has no ${chapter} in ${tag}`);
  return (await load()) as Chapters[keyof Chapters];
}

function languageOf(tag: LanguageTag): Promise<Language> {
  const load = languages[`../languages/${tag}/index.ts`];
  if (!load) throw new Error(`the console does not speak ${tag}`);
  return load();
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
