/**
 * Returns each ending, of three letters or more, of words without digits: their beginnings are what can be found
 * inside of words. Beyond the first thirty letters of a word, none begins.
 */
export const wordEnds = `
  create or replace function word_ends(words tsvector) returns tsvector
  language sql immutable strict parallel safe as $$
    select array_to_tsvector(coalesce(array_agg(distinct substr(word, place)), '{}'))
    from unnest(tsvector_to_array(words)) as word, generate_series(1, least(length(word) - 2, 30)) as place
    where word !~ '[0-9]'
  $$;
`;
