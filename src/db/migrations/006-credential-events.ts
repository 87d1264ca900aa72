import type { Knex } from "knex";

/**
 * Creates the log of events. An event is written unsealed, in the transaction of the change that it
 * describes. One process at a time then gives committed events their position and their link in the chain. (A
 * sequence alone would assign positions before the commit. Readers that follow it would miss late commits.)
 *
 * Events contain no names. Actors have a table of their own, where a name can be removed without breaking the
 * chain.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials add column emailed_at timestamptz;

    create table credential_event_actors (
      id integer generated always as identity primary key,
      name text collate "C" not null unique check (length(name) between 1 and 255)
    );

    -- Returns the id of an actor, who is added if new.
    create function credential_event_actor(actor text) returns integer language plpgsql as $$
    declare
      known integer;
    begin
      loop
        select id into known from credential_event_actors where name = actor;
        if found then return known; end if;
        insert into credential_event_actors (name) values (actor) on conflict do nothing;
      end loop;
    end $$;

    create table unsealed_credential_events (
      id bigint generated always as identity primary key,
      type text not null check (type in (
        'issued', 'available', 'failed', 'invalidated', 'reissued', 'emailed', 'email_refused', 'erased', 'imported',
        'links_revoked'
      )),
      credential_uuid uuid not null,
      configuration_id integer not null,
      actor_id integer not null references credential_event_actors,
      status_before text check (status_before in ('generating', 'available', 'error', 'invalidated')),
      status_after text not null check (status_after in ('generating', 'available', 'error', 'invalidated')),
      occurred_at timestamptz(3) not null default clock_timestamp()
    );

    -- No foreign keys: references were checked while the event was unsealed, and actors are never deleted.
    create table credential_events (
      position bigint primary key check (position > 0),
      hash bytea not null check (length(hash) = 32),
      type text not null,
      credential_uuid uuid not null,
      configuration_id integer not null,
      actor_id integer not null,
      status_before text,
      status_after text not null,
      occurred_at timestamptz(3) not null
    );

    -- The last event of the chain. It is stored separately to detect a truncated tail. The sealer locks this
    -- row.
    create table credential_event_head (
      is_only boolean primary key default true check (is_only),
      position bigint not null,
      hash bytea not null check (length(hash) = 32)
    );
    insert into credential_event_head (position, hash) values (0, decode(repeat('00', 32), 'hex'));

    -- The last event of each part that retention has removed: the chain continues from there.
    create table credential_event_anchors (
      position bigint primary key,
      hash bytea not null check (length(hash) = 32),
      removed_at timestamptz not null default now(),
      transaction_id xid8 not null default pg_current_xact_id()
    );
  `);
  await createSealing(knex);
  await createRetention(knex);
  await createGuards(knex);
  await pinSearchPath(knex);
}

/**
 * The hash of an event is SHA-256 over the previous hash and the event's own fields. Before the first event,
 * the previous hash is 32 zero bytes. The fields are joined as text by `|`: position, type, credential,
 * configuration, actor's id, status before (or nothing), status after, and time in UTC with milliseconds.
 * `verify-event-chain.ts` has the same formula.
 */
async function createSealing(knex: Knex): Promise<void> {
  await knex.raw(`
    create function credential_event_link(hash bytea, start bytea, event bytea) returns bytea
    language plpgsql immutable as $$
    begin
      return sha256(coalesce(hash, start) || event);
    end $$;

    create aggregate credential_event_chain(start bytea, event bytea) (sfunc = credential_event_link, stype = bytea);

    -- Seals the oldest unsealed events and returns their number, or 0 while another session does so. The
    -- caller runs it as one statement: so a process that freezes while it waits for the answer does not hold
    -- the lock.
    create function seal_credential_events(batch integer) returns integer language plpgsql security definer as $$
    declare
      head credential_event_head;
      last_position bigint;
    begin
      if not exists (select from unsealed_credential_events) then return 0; end if;
      select * into head from credential_event_head for update skip locked;
      if not found then return 0; end if;

      with unsealed as (
        delete from unsealed_credential_events
        where id in (select id from unsealed_credential_events order by id limit batch)
        returning *
      ),
      placed as (
        select head.position + row_number() over (order by id) as position, unsealed.* from unsealed
      ),
      sealed as (
        insert into credential_events (
          position, hash, type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at
        )
        select
          position,
          credential_event_chain(head.hash, convert_to(concat_ws(
            '|', position, type, credential_uuid, configuration_id, actor_id, coalesce(status_before, ''), status_after,
            to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          ), 'UTF8')) over (order by position rows unbounded preceding),
          type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at
        from placed
        returning position, hash
      ),
      last as (
        select position, hash from sealed order by position desc limit 1
      )
      update credential_event_head set position = last.position, hash = last.hash from last
      returning last.position into last_position;

      if not found then return 0; end if;
      perform pg_notify('credential_events', last_position::text);
      return last_position - head.position;
    end $$;
    revoke execute on function seal_credential_events from public;
  `);
}

async function createRetention(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Removes the oldest events, up to the first one that is younger than the given days. Returns their
    -- number.
    create function remove_old_credential_events(days integer, batch integer) returns integer
    language plpgsql security definer as $$
    declare
      anchor record;
      removed integer;
    begin
      if days < 1 then raise exception 'events are kept for a day at least'; end if;
      perform from credential_event_head for update;

      select position, hash into anchor
      from (
        select position, hash, bool_and(occurred_at < now() - make_interval(days => days)) over (order by position) as is_old
        from (select * from credential_events order by position limit batch) as oldest
      ) as oldest
      where is_old
      order by position desc limit 1;
      if not found then return 0; end if;

      insert into credential_event_anchors (position, hash) values (anchor.position, anchor.hash);
      delete from credential_events where position <= anchor.position;
      get diagnostics removed = row_count;
      return removed;
    end $$;
    revoke execute on function remove_old_credential_events from public;
  `);
}

/** Grants don't bind the owner of a table; triggers do, until the owner disables them. */
async function createGuards(knex: Knex): Promise<void> {
  await knex.raw(`
    create function refuse_credential_event_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
    end $$;

    create trigger append_only before update or truncate on credential_events
      execute function refuse_credential_event_change();
    create trigger append_only before update or truncate on unsealed_credential_events
      execute function refuse_credential_event_change();
    create trigger append_only before update or delete or truncate on credential_event_anchors
      execute function refuse_credential_event_change();
    create trigger append_only before delete or truncate on credential_event_head
      execute function refuse_credential_event_change();
    create trigger append_only before delete or truncate on credential_event_actors
      execute function refuse_credential_event_change();
    create trigger forward_only before update on credential_event_head
      for each row when (new.position <= old.position) execute function refuse_credential_event_change();

    -- Events can only be removed from the old end of the chain, up to an anchor set in the same transaction.
    create function check_removed_credential_events() returns trigger language plpgsql as $$
    begin
      if not exists (select from removed) then return null; end if;
      if exists (
        select from (select position, hash from removed order by position desc limit 1) as last
        join credential_event_anchors as anchor using (position, hash)
        where anchor.transaction_id = pg_current_xact_id()
          and not exists (select from credential_events as event where event.position < last.position)
      ) then return null; end if;
      raise exception 'credential_events is append-only: delete is refused' using errcode = 'insufficient_privilege';
    end $$;
    create trigger removed_up_to_anchor after delete on credential_events referencing old table as removed
      execute function check_removed_credential_events();

    -- An unsealed event can only be deleted if the chain ends with it, or with the group that it is in.
    create function check_sealed_credential_events() returns trigger language plpgsql as $$
    begin
      if exists (
        select type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at from removed
        except all
        select type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at
        from credential_events
        where position > (select max(position) from credential_events) - (select count(*) from removed)
      ) then
        raise exception 'unsealed_credential_events is append-only: delete is refused'
          using errcode = 'insufficient_privilege';
      end if;
      return null;
    end $$;
    create trigger removed_when_sealed after delete on unsealed_credential_events referencing old table as removed
      execute function check_sealed_credential_events();
  `);
}

/** Pins the search path of the functions, so that callers can't substitute their own tables. */
async function pinSearchPath(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$
    declare
      routine regprocedure;
    begin
      foreach routine in array array[
        'credential_event_actor(text)', 'seal_credential_events(integer)',
        'remove_old_credential_events(integer, integer)', 'check_removed_credential_events()',
        'check_sealed_credential_events()'
      ]::regprocedure[] loop
        execute format('alter function %s set search_path = %I, pg_temp', routine, current_schema());
      end loop;
    end $$
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function seal_credential_events, remove_old_credential_events;
    drop table credential_events, unsealed_credential_events, credential_event_head, credential_event_anchors;
    drop function credential_event_actor;
    drop table credential_event_actors;
    drop function refuse_credential_event_change, check_removed_credential_events, check_sealed_credential_events;
    drop aggregate credential_event_chain (bytea, bytea);
    drop function credential_event_link;
    alter table credentials drop column emailed_at;
  `);
}
