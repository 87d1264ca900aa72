import { invalid } from "#foundation/errors.js";
import { type Language, languagesOf } from "#foundation/languages/languages.js";
import { languageTags } from "#foundation/languages/list.js";

export interface DocumentLanguage {
  /** BCP 47 tag for dates, capitals and the file's metadata. */
  readonly tag: string;
  /** BCP 47 tag that selects a font's letter forms. */
  readonly forms: string;
  readonly words: Language<"document">;
}

const languages = languagesOf("document");

/**
 * Returns the requested language if the whole document can be written in it, otherwise English. The built-in design
 * needs translated words; a template needs only dates.
 */
export function documentLanguage(requested: string, onTemplate: boolean, edition: number): DocumentLanguage {
  const words = wordsIn(languages.choose([requested]), edition);
  const isSpoken = onTemplate ? hasDates(requested) : languages.find(requested) !== undefined;
  return { tag: isSpoken ? requested : "en", forms: requested, words };
}

/** Words that have changed since an earlier edition. Documents of that edition keep the earlier words. */
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
    de: { completion: "Abschlussgrad", identifier: "Kennung", learnerId: "Teilnehmernummer" },
    es: { completion: "Progreso", identifier: "Identificador", learnerId: "N.º de estudiante" },
    fr: { awardedTo: "à", forCompleting: "pour l’achèvement de" },
    it: { identifier: "Identificativo" },
    pt: { identifier: "Identificador" },
    uk: { completion: "Завершення", identifier: "Ідентифікатор", validUntil: "Дійсний до" },
  },
};

export function wordsIn(language: Language<"document">, edition: number): Language<"document"> {
  const earlier = earlierWords[edition]?.[language.tag];
  return earlier ? { ...language, ...earlier } : language;
}

/** @throws Problem `invalid`, with the available languages, if a document can't be written in the requested language */
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
