import { searchCondition } from "#foundation/text/search-words.js";
import { lowerCase, lowerCaseSql } from "#infrastructure/db/lower-case.js";
import type { Query } from "#infrastructure/db/transaction.js";

/** What a person knows of a learner. */
export type LearnerQuery =
  | { readonly kind: "everything" }
  /** Nothing is found: the text has no word. */
  | { readonly kind: "nothing" }
  /** The beginning of an email address, or a username that looks like one. */
  | { readonly kind: "email"; readonly address: string }
  /** Beginnings of words: a literal of the type `tsquery`. */
  | { readonly kind: "words"; readonly words: string }
  /** The same words, anywhere inside of words. */
  | { readonly kind: "inside"; readonly parts: string };

const ADDRESS = /[^\s<>,;"]+@[^\s<>,;"]*/;

/** Recognises what someone has typed or pasted. */
export function readLearnerQuery(text: string): LearnerQuery {
  if (text.trim() === "") return { kind: "everything" };
  const address = ADDRESS.exec(text)?.[0];
  if (address !== undefined) return { kind: "email", address };
  const words = searchCondition(text);
  return words === undefined ? { kind: "nothing" } : { kind: "words", words };
}

/** Below this length, too many words have it inside. */
const MIN_INSIDE = 3;

/** Returns the query for the same words inside of others; undefined if one is too short, or it is about no words. */
export function insideWords(query: {
  readonly kind: string;
  readonly words?: string;
}): LearnerQuery | undefined {
  if (query.kind !== "words" || query.words === undefined) return undefined;
  const areLong = query.words.split(" & ").every((word) => word.length >= MIN_INSIDE + ":*".length);
  return areLong ? { kind: "inside", parts: query.words } : undefined;
}

/** Learners whose addresses have the same beginning, beyond which a search by address is not carried on. */
const MAX_SAME_ADDRESS = 1000;

/** Returns the condition on a row with a username and with the words by which it is found. */
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
      // The first condition is a hundred times cheaper, and true of all that the second finds by its index.
      return {
        sql: "search_words::text like all (?::text[]) and word_ends(search_words) @@ ?::tsquery",
        bindings: [query.parts.split(" & ").map((part) => `%${part.slice(0, -2)}%`), query.parts],
      };
  }
}

/** Escapes the characters that are special in a pattern of `like`. */
export function startOf(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
