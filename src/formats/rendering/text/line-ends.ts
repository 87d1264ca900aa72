import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";

/** Scripts whose articles, prepositions, conjunctions and name particles are before the word to which they belong. */
const prepositive =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u;
/**
 * Scripts of languages whose particles and postpositions are after the word to which they belong, for example Hindi
 * "ki".
 */
const postpositive =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}]/u;

const letter = /\p{L}/gu;
const number = /\p{N}|^[IVX]+$/u;
/** A full stop is not included, because it also ends abbreviations. */
const clauseEnd = /(?!\.)[\p{Terminal_Punctuation}\p{Pe}]$/u;
/** A dash, or a dot or bar that separates parts. */
const separator = /^(?:\p{Pd}|[·•|/])+$/u;
const lowerCase = /^\p{Ll}/u;
const upperCase = /^[^\p{L}]*\p{Lu}/u;

/** Particles that are capitalised in some names, even before another particle: "Van der". */
const nobiliary = /^v[ao]n$/i;

/**
 * Maximum length of a short word. A capitalised word of exactly this length before a lower-case word is a noun, as in
 * "Night Sky in Spring".
 */
const MAX_SHORT = 3;
/** Maximum length of abbreviations, and of particles such as "della" and prepositions such as "with". */
const MAX_PARTICLE = 5;

/** Cost of a line break between two words of equal rank, for example between an adjective and its noun. */
const ordinary = 0.35;
const besideNumber = 0.6;

/** Cost of a line break within a text that has no spaces, compared with `breakCost`. */
export const unspacedBreakCost = 0.5;

/** Returns whether a word is too short for a line of its own. */
export function isShort(word: string): boolean {
  return lettersOf(word) <= MAX_SHORT;
}

/**
 * Returns the cost of a line break between two words, from 0 (between two phrases) to 1. A short word, an initial and a
 * name particle belong to the next word; a number belongs to both its neighbours.
 */
export function breakCost(before: string, after: string): number {
  return costs(`${before} ${after}`, () => costOf(before, after));
}

/** Words recur in the names of people and courses, and each text is tried with several numbers of lines. */
const costs = createBoundedCache<number>(1000);

function costOf(before: string, after: string): number {
  if (separator.test(after)) return 1;
  if (clauseEnd.test(before) || separator.test(before)) return 0;
  if (belongsToNext(before, after) || belongsToPrevious(after)) return 1;
  if (beginsPhrase(after)) return 0;
  return number.test(before) || number.test(after) ? besideNumber : ordinary;
}

function belongsToNext(word: string, next: string): boolean {
  if (number.test(word)) return false;
  const length = lettersOf(word);
  if (length === 0) return true; // for example "&"
  if (!prepositive.test(word)) return false;
  if (length === MAX_SHORT) return !upperCase.test(word) || !lowerCase.test(next) || nobiliary.test(word);
  if (length < MAX_SHORT) return true;
  return length <= MAX_PARTICLE && (word.endsWith(".") || (lowerCase.test(word) && upperCase.test(next)));
}

function belongsToPrevious(word: string): boolean {
  return postpositive.test(word) && lettersOf(word) === 1;
}

function beginsPhrase(word: string): boolean {
  if (number.test(word) || !prepositive.test(word)) return false;
  const length = lettersOf(word);
  if (upperCase.test(word)) return length < MAX_SHORT || nobiliary.test(word);
  return length <= (lowerCase.test(word) ? MAX_PARTICLE : MAX_SHORT);
}

function lettersOf(word: string): number {
  return word.match(letter)?.length ?? 0;
}
