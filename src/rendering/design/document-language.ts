import { invalid } from "../../errors.js";
import { type Language, languagesOf, languageTags } from "../../languages/languages.js";

/** The language of a document: one for all of it, so that nothing is mixed. */
export interface DocumentLanguage {
  /** BCP 47: of dates and capitals, and what the file says of itself. */
  readonly tag: string;
  /** BCP 47: whose forms letters take, where a font has several. */
  readonly forms: string;
  /** Those of the built-in design. */
  readonly words: Language<"document">;
}

const languages = languagesOf("document");

/**
 * The language that was asked for, where the document can be in it wholly; else English. The built-in design needs words in
 * it; on a template, which brings its own, a language needs only its dates.
 */
export function documentLanguage(asked: string, onTemplate: boolean): DocumentLanguage {
  const words = languages.choose([asked]);
  const isSpoken = onTemplate ? hasDates(asked) : languages.find(asked) !== undefined;
  return { tag: isSpoken ? asked : "en", forms: asked, words };
}

/** @throws Problem `invalid` for an option `language` that a document could not be in, with those that it could */
export function refuseUnspoken(asked: string | undefined, onTemplate: boolean): void {
  if (asked === undefined) return;
  if (!hasDates(asked))
    throw invalid(`language: there is no language "${asked}" that dates can be written in.`);
  if (onTemplate || languages.find(asked)) return;
  throw invalid(
    `language: the built-in design has no words in "${asked}", only in ${languageTags.join(", ")}. ` +
      "Choose one of them, or print on a template, which brings its own words.",
  );
}

function hasDates(tag: string): boolean {
  return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
}
