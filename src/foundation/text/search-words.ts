import { foldedWords } from "./fold.js";

/** Maximum number of words in a query. Further words are ignored. */
const MAX_QUERY_WORDS = 10;

/** Maximum length of a word whose endings are all indexed. */
const MAX_UNSPACED = 20;

/** Punctuation within names such as O'Brien or Jean-Noël, which are also written as one word. */
const JOINING = /(?<=[\p{L}\p{M}])['’ʼ‐-](?=\p{L})/gu;

/** Scripts in which full names are written without spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Returns a `tsvector` literal. It consists only of letters and digits, so nothing needs to be quoted. */
export function searchWords(...texts: readonly string[]): string {
  const words = texts.flatMap((text) => [...foldedWords(text), ...foldedWords(text.replace(JOINING, ""))]);
  return [...new Set(words.flatMap(withEndings))].sort().join(" ");
}

/**
 * Returns a `tsquery` literal. It matches texts in which each word of the query is the beginning of a word.
 * @returns undefined if the query has no words
 */
export function searchCondition(query: string): string | undefined {
  const words = [...new Set(foldedWords(query))].slice(0, MAX_QUERY_WORDS);
  return words.length === 0 ? undefined : words.map((word) => `${word}:*`).join(" & ");
}

/**
 * Returns a word. If the word may be a full name without spaces, also returns all its endings, so that the given name
 * is found although it follows the family name.
 */
function withEndings(word: string): string[] {
  const letters = [...word];
  if (!UNSPACED.test(word) || letters.length > MAX_UNSPACED) return [word];
  return letters.map((_, start) => letters.slice(start).join(""));
}
