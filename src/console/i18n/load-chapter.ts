/// <reference types="vite/types/importMeta.d.ts" />
import type { LanguageTag } from "#foundation/languages/list.js";
import type { Messages } from "#foundation/languages/message.js";
import type { ConsoleValues } from "#gen/message-values.js";

/** `core` is always needed. Each of the others is needed only on some pages. */
interface Catalogues {
  readonly core: typeof import("../languages/en/core.json");
  readonly administration: typeof import("../languages/en/administration.json");
  readonly branding: typeof import("../languages/en/branding.json");
  readonly choices: typeof import("../languages/en/choices.json");
  readonly connecting: typeof import("../languages/en/connecting.json");
  readonly designer: typeof import("../languages/en/designer.json");
  readonly designing: typeof import("../languages/en/designing.json");
  readonly explanations: typeof import("../languages/en/explanations.json");
  readonly files: typeof import("../languages/en/files.json");
  readonly finding: typeof import("../languages/en/finding.json");
  readonly helps: typeof import("../languages/en/helps.json");
  readonly history: typeof import("../languages/en/history.json");
  readonly issuing: typeof import("../languages/en/issuing.json");
  readonly emails: typeof import("../languages/en/emails.json");
  readonly names: typeof import("../languages/en/names.json");
  readonly organisations: typeof import("../languages/en/organisations.json");
  readonly pathways: typeof import("../languages/en/pathways.json");
  readonly replacement: typeof import("../languages/en/replacement.json");
  readonly requirements: typeof import("../languages/en/requirements.json");
  readonly serviceSettings: typeof import("../languages/en/serviceSettings.json");
  readonly setup: typeof import("../languages/en/setup.json");
  readonly staff: typeof import("../languages/en/staff.json");
  readonly sharing: typeof import("../languages/en/sharing.json");
  readonly trees: typeof import("../languages/en/trees.json");
  readonly warnings: typeof import("../languages/en/warnings.json");
  readonly webhooks: typeof import("../languages/en/webhooks.json");
}

export type Chapters = Messages<Catalogues, ConsoleValues>;
export type ConsoleWording = Chapters["core"];

/** The texts that are always needed, and functions that load the other chapters. */
interface Language {
  readonly core: ConsoleWording;
  readonly chapters: Readonly<Record<string, () => Promise<unknown>>>;
}

const languages = import.meta.glob<Language>("../languages/*/index.ts");

/** Chapters that were requested so far, by language and chapter. */
const loading = new Map<string, Promise<Chapters[keyof Chapters]>>();

/** Those of them that are loaded. */
const loaded = new Map<string, Chapters[keyof Chapters]>();

/** Returns the names of all chapters that `loadChapter` can load. */
export async function chapterNames(tag: LanguageTag): Promise<(keyof Chapters)[]> {
  return Object.keys((await languageOf(tag)).chapters).map(chapterIn);
}

/** Loads the texts of a chapter once. If loading fails, the next call retries. */
export function loadChapter<C extends keyof Chapters>(chapter: C, tag: LanguageTag): Promise<Chapters[C]> {
  const path = `${tag}/${chapter}.ts`;
  const words = loading.get(path) ?? readChapter(chapter, tag);
  loading.set(path, words);
  words.then(
    (texts) => loaded.set(path, texts),
    () => loading.delete(path),
  );
  return words as Promise<Chapters[C]>;
}

/** Returns the texts of a chapter if they are already loaded. */
export function loadedChapter<C extends keyof Chapters>(
  chapter: C,
  tag: LanguageTag,
): Chapters[C] | undefined {
  return loaded.get(`${tag}/${chapter}.ts`) as Chapters[C] | undefined;
}

/** Waits for all chapters that were requested so far. Ignores failures: pages load what is missing again. */
export async function requestedChapters(): Promise<void> {
  await Promise.allSettled(loading.values());
}

async function readChapter(chapter: keyof Chapters, tag: LanguageTag): Promise<Chapters[keyof Chapters]> {
  const { core, chapters } = await languageOf(tag);
  if (chapter === "core") return core;
  const load = chapters[`./${chapter}.json`];
  if (!load) throw new Error(`the console has no ${chapter} in ${tag}`);
  return (await load()) as Chapters[keyof Chapters];
}

function languageOf(tag: LanguageTag): Promise<Language> {
  const load = languages[`../languages/${tag}/index.ts`];
  if (!load) throw new Error(`the console has no language ${tag}`);
  return load();
}

/** Loads another language with all chapters that were requested so far, so that the whole page changes at once. */
export async function loadLanguage(tag: LanguageTag): Promise<ConsoleWording> {
  const chapters = [...loading.keys()].map(chapterIn);
  await Promise.all(chapters.map((chapter) => loadChapter(chapter, tag)));
  return loadChapter("core", tag);
}

function chapterIn(path: string): keyof Chapters {
  return /(\w+)\.\w+$/.exec(path)?.[1] as keyof Chapters;
}
