import type { Query } from "#infrastructure/db/database.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";

/** Number of rows to sample, in order to decide whether a word is common enough to fill a page. */
export const SAMPLE = 1000;

/** A word is common if more than this many rows of the sample contain it. */
const MAX_RARE_COUNT = 50;

/**
 * Returns the condition that rows contain all words, for a search of a whole table. An index lookup
 * would collect all rows for each word, and a word in every row could yield a million. Therefore,
 * only the rare words are looked up, and the resulting rows are checked for all words.
 * @param sample selects `search_words` of some rows
 * @param isFound returns the condition for a query and the other criteria of the search
 */
export async function rareWordsFirst<Search extends { readonly kind: string; readonly words?: string }>(
  db: Knex,
  query: Search,
  sample: Query,
  isFound: (query: Search | { readonly kind: "everything" }) => Query,
): Promise<Query> {
  const words = query.words?.split(" & ") ?? [];
  if (words.length <= 1) return isFound(query);
  const rows = await queryRows<{ word: string; count: number }>(
    db,
    `select word, count(sampled) as count
     from unnest(?::text[]) as requested (word)
     left join (${sample.sql}) as sampled on sampled.search_words @@ word::tsquery
     group by word order by count(sampled), length(word) desc`,
    [words, ...sample.bindings],
  );
  const rare = rows
    .filter(({ count }, index) => index === 0 || count <= MAX_RARE_COUNT)
    .map(({ word }) => word);
  const others = isFound({ kind: "everything" });
  return {
    // `is true` keeps Postgres from using the index for the second condition.
    sql: `search_words @@ ?::tsquery and (search_words @@ ?::tsquery) is true and ${others.sql}`,
    bindings: [rare.join(" & "), words.join(" & "), ...others.bindings],
  };
}
