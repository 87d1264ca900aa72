/// <reference types="vite/types/importMeta.d.ts" />
import type { LanguageTag } from "../../languages/list.js";
import type { AdministrationWording } from "../languages/en/administration.js";
import type { BrandingWording } from "../languages/en/branding.js";
import type { ConsoleWording } from "../languages/en/core.js";
import type { DesigningWording } from "../languages/en/designing.js";
import type { ExplanationsWording } from "../languages/en/explanations.js";
import type { FindingWording } from "../languages/en/finding.js";
import type { HelpsWording } from "../languages/en/helps.js";
import type { HistoryWording } from "../languages/en/history.js";
import type { IssuingWording } from "../languages/en/issuing.js";
import type { MailsWording } from "../languages/en/mails.js";
import type { NamesWording } from "../languages/en/names.js";
import type { ReplacementWording } from "../languages/en/replacement.js";
import type { RequirementsWording } from "../languages/en/requirements.js";
import type { SetupWording } from "../languages/en/setup.js";
import type { WebhooksWording } from "../languages/en/webhooks.js";

/** The words of the console by chapter: `core` is always needed, the others on few pages. */
export interface Chapters {
  readonly core: ConsoleWording;
  readonly administration: AdministrationWording;
  readonly branding: BrandingWording;
  readonly designing: DesigningWording;
  readonly explanations: ExplanationsWording;
  readonly finding: FindingWording;
  readonly helps: HelpsWording;
  readonly history: HistoryWording;
  readonly issuing: IssuingWording;
  readonly mails: MailsWording;
  readonly names: NamesWording;
  readonly replacement: ReplacementWording;
  readonly requirements: RequirementsWording;
  readonly setup: SetupWording;
  readonly webhooks: WebhooksWording;
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
