import { foldedWords } from "./fold.js";

/** Words of a query beyond these do not narrow a search any further. */
const MAX_QUERY_WORDS = 10;

/** Longest word for which every ending counts as a word. */
const MAX_UNSPACED = 20;

/** What joins the parts of O'Brien or Jean-Noël, whom people also write in one word. */
const JOINING = /(?<=[\p{L}\p{M}])['’ʼ‐-](?=\p{L})/gu;

/** Scripts that write a whole name without spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/**
 * Returns the words by which texts are found, as a literal of the type `tsvector`. They consist of letters and
 * digits alone, so that nothing needs quotes.
 */
export function searchWords(...texts: readonly string[]): string {
  const words = texts.flatMap((text) => [...foldedWords(text), ...foldedWords(text.replace(JOINING, ""))]);
  return [...new Set(words.flatMap(withEndings))].sort().join(" ");
}

/**
 * Returns the condition that texts have words with these beginnings, as a literal of the type `tsquery`.
 * @returns undefined if the query has no word
 */
export function searchCondition(query: string): string | undefined {
  const words = [...new Set(foldedWords(query))].slice(0, MAX_QUERY_WORDS);
  return words.length === 0 ? undefined : words.map((word) => `${word}:*`).join(" & ");
}

/** In a name without spaces, the given name follows the family name: each ending is a word. */
function withEndings(word: string): string[] {
  const letters = [...word];
  if (!UNSPACED.test(word) || letters.length > MAX_UNSPACED) return [word];
  return letters.map((_, start) => letters.slice(start).join(""));
}
