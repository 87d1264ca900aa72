import { readdir } from "node:fs/promises";
import type { Wording } from "./wording.js";

/** A language that we write mails in. */
export interface Language extends Wording {
  /** BCP 47. */
  readonly tag: string;
}

const LAST_RESORT = "en";
/** Compiled or not, but no declarations. */
const languageFile = /^([A-Za-z\d-]+)\.[jt]s$/;
const directory = new URL("./languages/", import.meta.url);

/** All of them, one for each file of `languages/`. */
export const languages: readonly Language[] = await loadLanguages();

/**
 * The first language that is at hand, for a wish or for what is left of it without its last subtags (RFC 4647, 3.4); else
 * English.
 * @param wishes BCP 47 tags, the dearest first; those that are empty or malformed are passed over
 */
export function chooseLanguage(wishes: readonly string[]): Language {
  for (const tag of [...wishes, LAST_RESORT].flatMap(lookUpTags)) {
    const language = languages.find((candidate) => candidate.tag === tag);
    if (language) return language;
  }
  throw new Error(`there is no language ${LAST_RESORT}`);
}

/** `zh-Hant-TW` is also looked up as `zh-Hant` and `zh`. */
function lookUpTags(wish: string): string[] {
  const subtags = canonical(wish)?.split("-") ?? [];
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

async function loadLanguages(): Promise<Language[]> {
  const files = (await readdir(directory)).filter((file) => languageFile.test(file));
  return Promise.all(files.sort().map(loadLanguage));
}

async function loadLanguage(file: string): Promise<Language> {
  const { wording }: { wording: Wording } = await import(new URL(file, directory).href);
  return { tag: file.replace(languageFile, "$1"), ...wording };
}
