import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import type { TextMark } from "../pdf/marks.js";
import { hasCharacterOf, uncovered } from "../text/font-coverage.js";
import type { FontChain } from "../text/fonts.js";
import type { DocumentLanguage } from "./document-language.js";
import type { Phrases } from "./phrases.js";
import { placeholdersOf, prepareFilling, type WordsOf } from "./placeholders.js";

export interface WordContext {
  readonly language: DocumentLanguage;
  readonly phrases: Phrases;
  readonly edition: number;
  /** The institution's fonts. */
  readonly own: FontChain;
}

/** A text with placeholders, prepared for any number of credentials. */
interface TextWords {
  readonly traits: ReturnType<typeof traitsOf>;
  /** Returns the printed words; blank if there is nothing to print. */
  of(wordsOf: WordsOf): string;
}

export function prepareWords(text: string, uppercase: boolean, context: WordContext): TextWords {
  const { language, phrases, edition } = context;
  // The first edition didn't use capitals that only the institution's fonts have.
  const own = edition > 1 ? context.own : [];
  const fill = prepareFilling(text);
  const traits = traitsOf(text, language, phrases);
  return {
    traits,
    of(wordsOf) {
      const cased = uppercase && edition > 1 ? capitalisingName(wordsOf, language.tag, own) : wordsOf;
      const filled = fill(traits.isolates ? isolating(cased) : cased);
      return uppercase ? capitals(filled, language.tag, own) : filled;
    },
  };
}

/**
 * Returns the maximum size of a text that must stay smaller than the learner's name as it was set: 80 % of the name's
 * size.
 * @param heldSize size to which the maximum is raised, but only up to 95 % of the name's size
 */
export function smallerThan(name: TextMark | undefined, heldSize = 0): number {
  if (!name) return Number.POSITIVE_INFINITY;
  const { size } = name.block;
  return Math.max(size * 0.8, Math.min(heldSize, size * 0.95));
}

/** Letters of languages that have both a dotted and a dotless I. */
const turkic = /[ıİ]/;

/** Capitalises a name by the rules of its own language, for example "İBRAHİM IŞIK" in an English document. */
function capitalisingName(wordsOf: WordsOf, language: string, own: FontChain): WordsOf {
  return (placeholder) => {
    const words = wordsOf(placeholder);
    const isName = placeholder.kind === "fact" && placeholder.name === "name";
    return isName ? capitals(words, turkic.test(words) ? "tr" : language, own) : words;
  };
}

const addresses = new Set(["verify_url", "verify_short_url", "verify_uuid"]);

function traitsOf(text: string, { words }: DocumentLanguage, { second }: Phrases) {
  const all = placeholdersOf(text);
  const isAddress = (name: string) => all.some((each) => each.kind === "fact" && each.name === name);
  return {
    /** True for the heading of the document. */
    isTitle: isAddress("title"),
    isLinked: isAddress("verify_url") || isAddress("verify_short_url"),
    /** True if addresses must keep their left-to-right order within right-to-left text. */
    isolates: words.direction === "rtl" && all.some(({ kind }) => kind === "words"),
    /** BCP 47 tag, if the text is in the second language. */
    language: all.some(({ kind }) => kind === "second") ? second?.words.tag : undefined,
  };
}

/** Isolates addresses and identifiers (UAX #9, LRI and PDI). */
function isolating(wordsOf: WordsOf): WordsOf {
  return (placeholder) => {
    const words = wordsOf(placeholder);
    const isAddress = placeholder.kind === "fact" && addresses.has(placeholder.name);
    return isAddress && words !== "" ? `\u2066${words}\u2069` : words;
  };
}

const capitalised = createBoundedCache<string>(200);

const greekWord = /\p{Script=Greek}[\p{Script=Greek}\p{M}]*/gu;

/**
 * Capitalises a text by the rules of the document's language: Turkish has a dotted I. Greek words always follow Greek
 * rules, which drop the tonos. Returns the text unchanged if the fonts lack the capitals.
 * @param own the institution's fonts
 */
export function capitals(text: string, language: string, own: FontChain = []): string {
  const upper = capitalised(`${language} ${text}`, () =>
    text.replace(greekWord, (word) => word.toLocaleUpperCase("el")).toLocaleUpperCase(language),
  );
  return uncovered(upper, own.map(hasCharacterOf)).length === 0 ? upper : text;
}
