import { readFileSync } from "node:fs";
import { IntlMessageFormat } from "intl-messageformat";
import type { ServiceValues } from "#gen/message-values.js";
import { canonicalTag } from "../text/language-tag.js";
import { type LanguageTag, languages, languageTags } from "./list.js";
import { fullStopAfter, type Messages } from "./message.js";

/**
 * Catalogues of messages, by where the service uses them: criteria of badges, documents, predefined designs, emails and
 * pages.
 */
interface Catalogues {
  readonly criteria: typeof import("./en/criteria.json");
  readonly document: typeof import("./en/document.json");
  readonly design: typeof import("./en/design.json");
  readonly email: typeof import("./en/email.json");
  readonly page: typeof import("./en/page.json");
}

export type Medium = keyof Catalogues;

type Words<M extends Medium> = Messages<
  Catalogues[M],
  M extends keyof ServiceValues ? ServiceValues[M] : unknown
>;

export type Language<M extends Medium> = Words<M> & {
  readonly tag: LanguageTag;
  readonly direction: "ltr" | "rtl";
  /** Name of the language, in the language itself. */
  readonly languageName: string;
  /** Separates a label from its value. */
  readonly colon: string;
};

/** The languages of a medium. Every medium has all languages. */
export interface Languages<M extends Medium> {
  readonly all: readonly Language<M>[];
  /** Returns the language for a tag, or for the tag without its last subtags (RFC 4647, 3.4). */
  find(tag: string): Language<M> | undefined;
  /**
   * Returns the first language that matches a requested language, otherwise English.
   * @param wishes BCP 47 tags in order of preference; empty and malformed tags are skipped
   */
  choose(wishes: readonly string[]): Language<M>;
}

export function languagesOf<M extends Medium>(medium: M): Languages<M> {
  const all = languageTags.map((tag): Language<M> => {
    const { name: languageName, direction, colon } = languages[tag];
    return { tag, direction, languageName, colon, ...readWords(medium, tag) };
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

/** Returns the tags to look up: for `zh-Hant-TW` also `zh-Hant` and `zh`. */
function lookUpTags(wish: string): string[] {
  const subtags = canonicalTag(wish)?.split("-") ?? [];
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
}

function readWords<M extends Medium>(medium: M, tag: LanguageTag): Words<M> {
  const catalogue = JSON.parse(readFileSync(new URL(`${tag}/${medium}.json`, import.meta.url), "utf8"));
  const entries = Object.entries<string>(catalogue).map(([key, text]) => [key, messageOf(text, tag)]);
  return Object.fromEntries(entries) as Words<M>;
}

/** Matches a value at the end of a sentence. */
const LAST_VALUE = /\{(\w+)\}\./g;

/** Parses a message in ICU MessageFormat. If it contains values, it is parsed at first use. */
function messageOf(text: string, tag: LanguageTag): string | ((values: Record<string, string>) => string) {
  if (!text.includes("{")) return text;
  let message: IntlMessageFormat | undefined;
  return (values) => {
    message ??= new IntlMessageFormat(text.replace(LAST_VALUE, "{$1}{$1_stop}"), tag, undefined, {
      ignoreTag: true,
    });
    const stops = Object.entries(values).map(([name, value]) => [`${name}_stop`, fullStopAfter(value)]);
    return String(message.format({ ...values, ...Object.fromEntries(stops) }));
  };
}
