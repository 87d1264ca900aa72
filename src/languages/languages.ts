import { canonicalTag } from "../text/language-tag.js";
import { ar } from "./ar.js";
import { de } from "./de.js";
import { en } from "./en.js";
import { es } from "./es.js";
import { fr } from "./fr.js";
import { it } from "./it.js";
import { pt } from "./pt.js";
import { uk } from "./uk.js";
import type { Wording } from "./wording.js";

/** Where the service uses words: documents, mails and pages. */
export type Medium = "document" | "mail" | "page";

/** The words of one language for one medium. */
export type Language<M extends Medium> = Wording[M] & Pick<Wording, "tag" | "direction" | "languageName">;

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

const wordings: readonly Wording[] = [ar, de, en, es, fr, it, pt, uk];

/** The tags of all languages, in alphabetical order. */
export const languageTags: readonly string[] = wordings.map(({ tag }) => tag);

/** Returns the languages for one medium. */
export function languagesOf<M extends Medium>(medium: M): Languages<M> {
  const all = wordings.map((wording) => languageOf(wording, medium));
  const byTag = new Map(all.map((language) => [language.tag, language]));
  const english = languageOf(en, medium);
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

function languageOf<M extends Medium>(wording: Wording, medium: M): Language<M> {
  const { tag, direction, languageName } = wording;
  return { tag, direction, languageName, ...wording[medium] };
}

/** `zh-Hant-TW` is also looked up as `zh-Hant` and `zh`. */
function lookUpTags(wish: string): string[] {
  const subtags = canonicalTag(wish)?.split("-") ?? [];
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
}
