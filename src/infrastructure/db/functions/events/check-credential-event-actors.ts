/** Rejects events of unknown actors. */
export const checkCredentialEventActors = `
  create or replace function check_credential_event_actors() returns trigger
  language plpgsql set search_path from current as $$
  begin
    if exists (
      select from (select distinct actor_id from added) as named
      where not exists (select from credential_event_actors where id = named.actor_id)
    ) then
      raise exception 'unsealed_credential_events: an actor is not in credential_event_actors'
        using errcode = 'foreign_key_violation';
    end if;
    return null;
  end $$;
`;
