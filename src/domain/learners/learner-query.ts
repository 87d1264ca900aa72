import { searchCondition } from "#foundation/text/search-words.js";
import type { Query } from "#infrastructure/db/database.js";
import { lowerCase, lowerCaseSql } from "#infrastructure/db/lower-case.js";

/** A parsed search text. */
export type LearnerQuery =
  | { readonly kind: "everything" }
  /** The text contains no word, so nothing matches. */
  | { readonly kind: "nothing" }
  /** The beginning of an email address, or of a username that looks like one. */
  | { readonly kind: "email"; readonly address: string }
  /** Beginnings of words, as a literal of the type `tsquery`. */
  | { readonly kind: "words"; readonly words: string }
  /** The same words, to be found anywhere inside words. */
  | { readonly kind: "inside"; readonly parts: string };

const ADDRESS = /[^\s<>,;"]+@[^\s<>,;"]*/;

export function readLearnerQuery(text: string): LearnerQuery {
  if (text.trim() === "") return { kind: "everything" };
  const address = ADDRESS.exec(text)?.[0];
  if (address !== undefined) return { kind: "email", address };
  const words = searchCondition(text);
  return words === undefined ? { kind: "nothing" } : { kind: "words", words };
}

/** Minimum length of words to be found inside other words. Shorter words occur inside too many words. */
const MIN_INFIX_LENGTH = 3;

/**
 * Returns a query that also finds the words of this query inside longer words. Returns `undefined` if a word is too
 * short, or if there are no words.
 */
export function insideWords(query: {
  readonly kind: string;
  readonly words?: string;
}): LearnerQuery | undefined {
  if (query.kind !== "words" || query.words === undefined) return undefined;
  const areLong = query.words.split(" & ").every((word) => word.length >= MIN_INFIX_LENGTH + ":*".length);
  return areLong ? { kind: "inside", parts: query.words } : undefined;
}

/** Maximum number of learners found by the beginning of their email address. */
const MAX_SAME_ADDRESS = 1000;

/** SQL: whether a row with a username and search words matches the query. */
export function matchesLearner(query: LearnerQuery): Query {
  switch (query.kind) {
    case "everything":
      return { sql: "true", bindings: [] };
    case "nothing":
      return { sql: "false", bindings: [] };
    case "email": {
      const start = `${startOf(lowerCase(query.address))}%`;
      return {
        sql: `username = any (array(
          (select known.username from learners known
           where ${lowerCaseSql("known.email")} like ? and known.email <> '' limit ${MAX_SAME_ADDRESS})
          union
          (select known.username from learners known
           where ${lowerCaseSql("known.corrected_email")} like ? and known.corrected_email is not null
           limit ${MAX_SAME_ADDRESS})
          union select ?
        ))`,
        bindings: [start, start, query.address],
      };
    }
    case "words":
      return { sql: "search_words @@ ?::tsquery", bindings: [query.words] };
    case "inside":
      // The first condition is redundant, because it is true for every row that matches the second one. It is used
      // because it is a hundred times cheaper, and excludes most other rows.
      return {
        sql: "search_words::text like all (?::text[]) and word_ends(search_words) @@ ?::tsquery",
        bindings: [query.parts.split(" & ").map((part) => `%${part.slice(0, -2)}%`), query.parts],
      };
  }
}

/** Escapes the special characters of `like`. */
export function startOf(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
