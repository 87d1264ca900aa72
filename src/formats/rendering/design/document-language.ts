import { invalid } from "#foundation/errors.js";
import { type Language, languagesOf } from "#foundation/languages/languages.js";
import { languageTags } from "#foundation/languages/list.js";

/** The language of a document. All of the document uses it, so that no languages mix. */
export interface DocumentLanguage {
  /** BCP 47: the language of dates and capitals, and the one that the file's metadata states. */
  readonly tag: string;
  /** BCP 47: selects letter forms in fonts that have several. */
  readonly forms: string;
  /** Words of the built-in design. */
  readonly words: Language<"document">;
}

const languages = languagesOf("document");

/**
 * Returns the requested language if the whole document can be written in it, otherwise English. The built-in
 * design needs its words in the language. A template brings its own words, so the language needs only dates.
 */
export function documentLanguage(requested: string, onTemplate: boolean, edition: number): DocumentLanguage {
  const words = wordsIn(languages.choose([requested]), edition);
  const isSpoken = onTemplate ? hasDates(requested) : languages.find(requested) !== undefined;
  return { tag: isSpoken ? requested : "en", forms: requested, words };
}

/** Words that a language had in earlier editions, which documents of then keep. */
const earlierWords: Readonly<Record<number, { readonly [tag: string]: Partial<Language<"document">> }>> = {
  1: { fr: { awardedTo: "à", forCompleting: "pour l’achèvement de" } },
};

/** Returns the words of a language as they were in an edition. */
export function wordsIn(language: Language<"document">, edition: number): Language<"document"> {
  const earlier = earlierWords[edition]?.[language.tag];
  return earlier ? { ...language, ...earlier } : language;
}

/**
 * @throws Problem `invalid` if a document can't be written in the language of an option; the message names the
 * possible languages
 */
export function refuseUnspoken(
  requested: string | undefined,
  onTemplate: boolean,
  option = "language",
): void {
  if (requested === undefined) return;
  if (!hasDates(requested))
    throw invalid(`${option}: there is no language "${requested}" that dates can be written in.`);
  if (onTemplate || languages.find(requested)) return;
  throw invalid(
    `${option}: designs have no words in "${requested}", only in ${languageTags.join(", ")}. ` +
      "Choose one of them, or print on a template, which brings its own words.",
  );
}

function hasDates(tag: string): boolean {
  return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
}
