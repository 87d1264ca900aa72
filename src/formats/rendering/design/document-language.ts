import { invalid } from "#foundation/errors.js";
import { type Language, languagesOf } from "#foundation/languages/languages.js";
import { languageTags } from "#foundation/languages/list.js";

/** The language of a document. All parts use it, so that a document never mixes languages. */
export interface DocumentLanguage {
  /** BCP 47 tag: the language of dates, capitals and the file's metadata. */
  readonly tag: string;
  /** BCP 47 tag that selects letter forms in fonts that have several. */
  readonly forms: string;
  /** Words of the built-in design. */
  readonly words: Language<"document">;
}

const languages = languagesOf("document");

/**
 * Returns the requested language if the whole document can be written in it, otherwise English. The built-in design
 * needs translated words. A template brings its own words, so it only needs dates in the language.
 */
export function documentLanguage(requested: string, onTemplate: boolean, edition: number): DocumentLanguage {
  const words = wordsIn(languages.choose([requested]), edition);
  const isSpoken = onTemplate ? hasDates(requested) : languages.find(requested) !== undefined;
  return { tag: isSpoken ? requested : "en", forms: requested, words };
}

/** Words of earlier editions that have changed since. Documents of those editions keep them. */
const earlierWords: Readonly<Record<number, { readonly [tag: string]: Partial<Language<"document">> }>> = {
  1: {
    ar: {
      completion: "الإتمام",
      credits: "الوحدات الدراسية",
      identifier: "المعرّف:",
      imprint: "بيانات الناشر",
      learnerId: "رقم المتعلّم",
      steps: "المقررات",
    },
    es: { completion: "Progreso", identifier: "Identificador", learnerId: "N.º de estudiante" },
    fr: { awardedTo: "à", forCompleting: "pour l’achèvement de" },
    it: { identifier: "Identificativo" },
    pt: { identifier: "Identificador" },
    uk: { completion: "Завершення", identifier: "Ідентифікатор", validUntil: "Дійсний до" },
  },
};

/** Returns the words of a language as of an edition. */
export function wordsIn(language: Language<"document">, edition: number): Language<"document"> {
  const earlier = earlierWords[edition]?.[language.tag];
  return earlier ? { ...language, ...earlier } : language;
}

/**
 * @throws Problem `invalid` if a document can't be written in the language that an option requests; the message lists
 *   the available languages
 */
export function refuseUnspoken(
  requested: string | undefined,
  onTemplate: boolean,
  option = "language",
): void {
  if (requested === undefined) return;
  if (!hasDates(requested))
    throw invalid(`${option}: dates can't be written in the language "${requested}".`);
  if (onTemplate || languages.find(requested)) return;
  throw invalid(
    `${option}: designs have no texts in "${requested}", only in ${languageTags.join(", ")}. ` +
      "Choose one of these, or print on a template with its own texts.",
  );
}

function hasDates(tag: string): boolean {
  return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
}
