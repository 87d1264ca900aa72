/** Adds the words of a learner's corrected name to the learner's credentials, so that either name finds them. */
export const addSearchWords = `
  create or replace function add_search_words() returns trigger
  language plpgsql set search_path from current as $$
  begin
    update credentials set search_words = search_words || new.search_words where username = new.username;
    return null;
  end $$;
`;
