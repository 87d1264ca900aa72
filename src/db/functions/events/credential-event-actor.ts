/** Returns the id of an actor, who is added if new. */
export const credentialEventActor = `
  create or replace function credential_event_actor(actor_name text, actor_kind text) returns integer
  language plpgsql set search_path from current as $$
  declare
    known integer;
  begin
    loop
      select id into known from credential_event_actors
      where name = actor_name and kind is not distinct from actor_kind;
      if found then return known; end if;
      insert into credential_event_actors (name, kind) values (actor_name, actor_kind) on conflict do nothing;
    end loop;
  end $$;

  -- The same for older versions of the service, which know no kinds.
  create or replace function credential_event_actor(actor text) returns integer
  language sql set search_path from current as $$
    select credential_event_actor(
      actor, case when actor in ('worker', 'schedule', 'command line', 'sample data') then 'system' end
    )
  $$;
`;
