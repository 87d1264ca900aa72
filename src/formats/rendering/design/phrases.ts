import { type Language, languagesOf } from "#foundation/languages/languages.js";
import { type DocumentLanguage, wordsIn } from "./document-language.js";

const languages = languagesOf("document");

/** Phrases that texts can print, by the name after `words.` or `second.`. */
export const phrasesOf = {
  awarded_to: "awardedTo",
  for: "for",
  for_completing: "forCompleting",
  for_attending: "forAttending",
  on_behalf_of: "onBehalfOf",
  place: "place",
  trainer: "trainer",
  date_of_issue: "dateOfIssue",
  date_of_award: "dateOfAward",
  valid_until: "validUntil",
  signature: "signature",
  verify_at: "verifyAt",
  credential_id: "identifier",
} as const satisfies Record<string, keyof Language<"document">>;

export type PhraseName = keyof typeof phrasesOf;
/** The names that can follow `second.`. */
export type SecondName = PhraseName | "title" | "issue_date";

export const phraseNames = Object.keys(phrasesOf) as PhraseName[];

export function isPhraseName(name: string): name is PhraseName {
  return Object.hasOwn(phrasesOf, name);
}

export function isSecondName(name: string): name is SecondName {
  return name === "title" || name === "issue_date" || isPhraseName(name);
}

/** The words of a design in its languages. */
export interface Phrases {
  /** In the document's language; undefined if the credential type is the title. */
  readonly title?: string | undefined;
  readonly words?: Language<"document">;
  readonly issuer?: PrintedIssuer | undefined;
  readonly second?: { readonly title: string | undefined; readonly words: Language<"document"> } | undefined;
}

interface PrintedIssuer {
  readonly name?: string | undefined;
  /** An email address or https URL. */
  readonly contact?: string | undefined;
  readonly imprint?: string | undefined;
}

interface PhraseOptions {
  readonly titles: Readonly<Record<string, string>>;
  readonly second_language?: string | undefined;
  readonly issuer?: PrintedIssuer | undefined;
}

/** Returns the words of a design. Ignores a second language that is the same as the document's language. */
export function phrasesIn(
  { titles, second_language, issuer }: PhraseOptions,
  { tag, words }: DocumentLanguage,
  edition: number,
): Phrases {
  const title = (tag: string) => titleIn(titles, tag);
  const requested = second_language === undefined ? undefined : languages.find(second_language);
  const second =
    !requested || requested.tag === languages.find(tag)?.tag ? undefined : wordsIn(requested, edition);
  return {
    title: title(tag),
    words,
    issuer,
    second: second && { title: title(second_language ?? second.tag), words: second },
  };
}

/** Finds a title by language tag; `de-AT` falls back on `de`. */
function titleIn(titles: Readonly<Record<string, string>>, tag: string): string | undefined {
  const [language = ""] = tag.split("-");
  return [tag, language].flatMap((each) => (Object.hasOwn(titles, each) ? (titles[each] ?? []) : []))[0];
}
