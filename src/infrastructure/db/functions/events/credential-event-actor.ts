/** Returns the id of an actor, adding the actor if it is new. */
export const credentialEventActor = `
  create or replace function credential_event_actor(actor_name text, actor_kind text) returns integer
  language plpgsql set search_path from current as $$
  declare
    known integer;
  begin
    loop
      select id into known from credential_event_actors
      where name = actor_name and kind = actor_kind;
      if found then return known; end if;
      insert into credential_event_actors (name, kind) values (actor_name, actor_kind) on conflict do nothing;
    end loop;
  end $$;
`;
