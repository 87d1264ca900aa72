/**
 * Returns all endings of words, with at least three letters. Words with digits are skipped. With these endings, a
 * search for a prefix also finds text inside words. Only endings that begin within the first thirty letters are
 * included.
 */
export const wordEnds = `
  create or replace function word_ends(words tsvector) returns tsvector
  language sql immutable strict parallel safe as $$
    select array_to_tsvector(coalesce(array_agg(distinct substr(word, place)), '{}'))
    from unnest(tsvector_to_array(words)) as word, generate_series(1, least(length(word) - 2, 30)) as place
    where word !~ '[0-9]'
  $$;
`;
