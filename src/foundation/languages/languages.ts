import { canonicalTag } from "../text/language-tag.js";
import type { Wording } from "./en.js";
import { type LanguageTag, languages, languageTags } from "./list.js";

/** Where the service uses words: documents, mails and pages. */
export type Medium = keyof Wording;

/** The words of one language for one medium. */
export type Language<M extends Medium> = Wording[M] & {
  /** BCP 47. */
  readonly tag: LanguageTag;
  readonly direction: "ltr" | "rtl";
  /** The name of the language in itself. */
  readonly languageName: string;
};

/** The languages of a medium; every medium has all of them. */
export interface Languages<M extends Medium> {
  readonly all: readonly Language<M>[];
  /**
   * Returns the language of a tag, or of the tag without its last subtags (RFC 4647, 3.4); undefined if there
   * is none.
   */
  find(tag: string): Language<M> | undefined;
  /**
   * Returns the first language that matches a wish, otherwise English.
   * @param wishes BCP 47 tags in order of preference; empty and malformed ones are skipped
   */
  choose(wishes: readonly string[]): Language<M>;
}

const wordings: readonly Wording[] = await Promise.all(
  languageTags.map(async (tag) => {
    const { words }: { words: Wording } = await import(`./${tag}.js`);
    return words;
  }),
);

/** Returns the languages for one medium. */
export function languagesOf<M extends Medium>(medium: M): Languages<M> {
  const all = languageTags.map((tag, index): Language<M> => {
    const { name: languageName, direction } = languages[tag];
    return { tag, direction, languageName, ...(wordings[index] as Wording)[medium] };
  });
  const byTag = new Map<string, Language<M>>(all.map((language) => [language.tag, language]));
  const english = byTag.get("en") as Language<M>;
  const find = (tag: string) =>
    lookUpTags(tag)
      .map((each) => byTag.get(each))
      .find((language) => language !== undefined);
  return {
    all,
    find,
    choose(wishes) {
      for (const wish of wishes) {
        const language = find(wish);
        if (language) return language;
      }
      return english;
    },
  };
}

/** `zh-Hant-TW` is also looked up as `zh-Hant` and `zh`. */
function lookUpTags(wish: string): string[] {
  const subtags = canonicalTag(wish)?.split("-") ?? [];
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
}
