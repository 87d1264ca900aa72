/** Replaces an erased learner's name with a pseudonym where the learner acted as a member of staff. */
export const eraseCredentialEventActor = `
  create or replace function erase_credential_event_actor(username text, pseudonym text) returns void
  language plpgsql security definer set search_path from current as $$
  begin
    update credential_event_actors set name = pseudonym, seed = null
    where name = username and kind = 'user';
  end $$;
  revoke execute on function erase_credential_event_actor from public;
`;
