import type { Knex } from "knex";

/**
 * Checks once for each statement that the actors of its events are known. The foreign key looked for the same
 * actor with each of a run's 100,000 events. Both hold for good: an actor is never removed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Writers lock these tables in the same order.
    lock table unsealed_credential_events, credential_event_actors in access exclusive mode;

    create function check_credential_event_actors() returns trigger language plpgsql as $$
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
    do $$ begin
      execute format('alter function check_credential_event_actors() set search_path = %I, pg_temp', current_schema());
    end $$;
    create trigger known_actors after insert on unsealed_credential_events referencing new table as added
      for each statement execute function check_credential_event_actors();
    alter table unsealed_credential_events drop constraint unsealed_credential_events_actor_id_fkey;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    lock table unsealed_credential_events, credential_event_actors in access exclusive mode;
    drop trigger known_actors on unsealed_credential_events;
    drop function check_credential_event_actors;
    alter table unsealed_credential_events
      add constraint unsealed_credential_events_actor_id_fkey foreign key (actor_id) references credential_event_actors;
  `);
}
