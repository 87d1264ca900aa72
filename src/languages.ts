import { readdir } from "node:fs/promises";

/** The words of one language, with its BCP 47 tag. */
export type Language<Wording> = Wording & { readonly tag: string };

/** The languages that something is written in. */
export interface Languages<Wording> {
  readonly all: readonly Language<Wording>[];
  /**
   * The first language that is at hand, for a wish or for what is left of it without its last subtags (RFC 4647, 3.4);
   * else English.
   * @param wishes BCP 47 tags, the dearest first; those that are empty or malformed are passed over
   */
  choose(wishes: readonly string[]): Language<Wording>;
}

const LAST_RESORT = "en";
/** Compiled or not, but no declarations. */
const languageFile = /^([A-Za-z\d-]+)\.[jt]s$/;

/**
 * Loads one language from each file of a directory. The file is named by the tag and exports its `wording`.
 * @throws Error when English is not among them
 */
export async function loadLanguages<Wording>(directory: URL): Promise<Languages<Wording>> {
  const files = (await readdir(directory)).filter((file) => languageFile.test(file));
  const all = await Promise.all(files.sort().map((file) => loadLanguage<Wording>(directory, file)));
  const byTag = new Map(all.map((language) => [language.tag, language]));
  const english = byTag.get(LAST_RESORT);
  if (!english) throw new Error(`there is no language ${LAST_RESORT} in ${directory}`);
  return {
    all,
    choose(wishes) {
      for (const tag of wishes.flatMap(lookUpTags)) {
        const language = byTag.get(tag);
        if (language) return language;
      }
      return english;
    },
  };
}

async function loadLanguage<Wording>(directory: URL, file: string): Promise<Language<Wording>> {
  const { wording }: { wording: Wording } = await import(new URL(file, directory).href);
  return { tag: file.replace(languageFile, "$1"), ...wording };
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
