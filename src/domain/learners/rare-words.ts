import type { Knex } from "knex";
import { queryRows } from "#infrastructure/db/query.js";
import type { Query } from "#infrastructure/db/transaction.js";

/** Number of rows sampled to decide whether a word is common enough to fill a page from the next rows of a list. */
export const SAMPLE = 1000;

/** A word is common if more rows of the sample have it. */
const FEW = 50;

/**
 * Returns the condition that rows have all words, for a search of a whole table. An index lookup collects all rows for
 * each word: a million for a word that every row has. So only the rare words are looked up, and the rows found are
 * checked for all words.
 * @param sample selects `search_words` of some rows
 * @param isFound returns the condition that rows match a query and the other criteria of the search
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
  const rare = rows.filter(({ count }, index) => index === 0 || count <= FEW).map(({ word }) => word);
  const others = isFound({ kind: "everything" });
  return {
    // Written this way, the second condition uses no index.
    sql: `search_words @@ ?::tsquery and (search_words @@ ?::tsquery) is true and ${others.sql}`,
    bindings: [rare.join(" & "), words.join(" & "), ...others.bindings],
  };
}
