import type { Query } from "../db/transaction.js";
import { searchCondition } from "../text/search-words.js";

/** What a person knows of a learner. */
export type LearnerQuery =
  | { readonly kind: "everything" }
  /** Nothing is found: the text has no word. */
  | { readonly kind: "nothing" }
  /** The beginning of an email address, or a username that looks like one. */
  | { readonly kind: "email"; readonly address: string }
  /** Beginnings of words: a literal of the type `tsquery`. */
  | { readonly kind: "words"; readonly words: string };

const ADDRESS = /[^\s<>,;"]+@[^\s<>,;"]*/;

/** Recognises what somebody has typed or pasted. */
export function readLearnerQuery(text: string): LearnerQuery {
  if (text.trim() === "") return { kind: "everything" };
  const address = ADDRESS.exec(text)?.[0];
  if (address !== undefined) return { kind: "email", address };
  const words = searchCondition(text);
  return words === undefined ? { kind: "nothing" } : { kind: "words", words };
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
    case "email":
      return {
        sql: `username = any (array(
          (select known.username from learners known
           where lower(known.email) collate "C" like ? and known.email <> '' limit ${MAX_SAME_ADDRESS})
          union select ?
        ))`,
        bindings: [`${startOf(query.address.toLowerCase())}%`, query.address],
      };
    case "words":
      return { sql: "search_words @@ ?::tsquery", bindings: [query.words] };
  }
}

/** Escapes what has a meaning in a pattern of `like`. */
export function startOf(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
