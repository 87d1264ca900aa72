import type { Knex } from "knex";

/**
 * Makes events vouch for the content of credentials. Each event has a commitment: a salted hash of all that
 * its credential says at that moment. The database computes it when the event is written, for older versions
 * of the service, too. An edit of a credential behind the service's back no longer matches its events.
 * Commitments and actors are part of the chain from `credential_event_head.commitments_from` on.
 *
 * Erasing a learner replaces the seed, and with it the old salt. So nobody can test names against old
 * commitments.
 */
export async function up(knex: Knex): Promise<void> {
  // Writers lock tables in the same order. The lock waits for open transactions with events, and keeps the
  // sealer out.
  await knex.raw(`
    lock table credentials, unsealed_credential_events, credential_event_actors, credential_events,
      credential_event_head, credential_event_anchors in access exclusive mode
  `);
  // Seal the waiting events in their old form.
  for (let sealed = 1; sealed > 0; ) {
    const { rows } = await knex.raw("select seal_credential_events(10000) as sealed");
    sealed = rows[0].sealed;
  }
  await knex.raw(`
    alter table credential_event_head add column commitments_from bigint not null default 1;
    alter table credential_event_head disable trigger forward_only;
    update credential_event_head set commitments_from = position + 1;
    alter table credential_event_head enable trigger forward_only;
  `);
  await createCommitments(knex);
  await createActorKinds(knex);
  await createSealing(knex, { columns: ", remarks, commitment", text: `, ${TEXT}` });
  await knex.raw("alter table credential_event_anchors add column occurred_at timestamptz(3)");
  await createRetention(knex, { occurredAt: true });
  await pinSearchPath(knex, [
    "commit_to_credential()",
    "commit_to_actor()",
    "credential_event_actor(text, text)",
    "erase_credential_event_actor(text, text)",
  ]);
}

/**
 * Defines the facts of a credential, as text: a line for each known fact. Free text is written as JSON
 * strings. A fact added by a later version is one more line, and credentials without it keep their text. The
 * text contains the username as a hash under the seed, and the salt hides the seed. So salt and text can be
 * shown as a proof without revealing the username.
 */
async function createCommitments(knex: Knex): Promise<void> {
  await knex.raw(`
    -- 244 random bits in 32 bytes. Existing credentials get a seed with their next change, from the trigger
    -- below.
    alter table credentials add column commitment_seed bytea;
    alter table credentials alter column commitment_seed
      set default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

    create function draw_commitment_seed() returns trigger language plpgsql as $$
    begin
      new.commitment_seed := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
      return new;
    end $$;
    create trigger commitment_seed before insert or update on credentials
      for each row when (new.commitment_seed is null) execute function draw_commitment_seed();

    create function credential_facts(credential credentials) returns text language sql stable as $$
      select concat_ws(E'\\n',
        'verify_uuid: ' || credential.verify_uuid,
        'holder: ' || encode(sha256(credential.commitment_seed || convert_to(credential.username, 'UTF8')), 'hex'),
        'name: ' || to_json(nullif(credential.user_full_name, '')),
        'context_key: ' || to_json(credential.learning_context_key),
        'context_name: ' || to_json(credential.learning_context_name),
        'type: ' || to_json(credential.credential_type),
        'created: ' || to_char(credential.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'status: ' || credential.status,
        'reason: ' || to_json(nullif(credential.invalidation_reason, '')),
        'invalidated: ' || to_char(credential.invalidated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'file_sha256: ' || encode(credential.file_sha256, 'hex')
      )
    $$;

    create function credential_commitment(credential credentials) returns bytea language sql stable as $$
      select sha256(
        convert_to(E'learning-credentials commitment v1\\n', 'UTF8') || sha256(credential.commitment_seed)
        || convert_to(credential_facts(credential), 'UTF8')
      )
    $$;

    alter table unsealed_credential_events
      add column commitment bytea check (length(commitment) = 32),
      add column remarks text[] not null default '{}' check (remarks <@ array['eligibility_skipped', 'self_issued']);
    alter table credential_events
      add column commitment bytea,
      add column remarks text[] not null default '{}';

    -- A statement that inserts many credentials sets the commitments itself, which takes half the time.
    create function commit_to_credential() returns trigger language plpgsql as $$
    begin
      select credential_commitment(credential) into new.commitment
      from credentials as credential where uuid = new.credential_uuid;
      return new;
    end $$;
    create trigger commitment before insert on unsealed_credential_events
      for each row when (new.commitment is null) execute function commit_to_credential();
  `);
}

/**
 * Adds the kind of an actor: user, service, or the service itself. null: recorded before kinds existed. An
 * actor's commitment is part of the chain, so that changing the name is detected. Erasing the name deletes
 * the seed and keeps the commitment.
 */
async function createActorKinds(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credential_event_actors
      add column kind text check (kind in ('user', 'service', 'system')),
      add column seed bytea,
      add column commitment bytea check (length(commitment) = 32),
      drop constraint credential_event_actors_name_key;

    create function credential_event_actor_commitment(actor credential_event_actors) returns bytea language sql stable as $$
      select sha256(
        convert_to(E'learning-credentials actor v1\\n', 'UTF8') || actor.seed
        || convert_to(coalesce(actor.kind, '') || E'\\n' || actor.name, 'UTF8')
      )
    $$;
    create function commit_to_actor() returns trigger language plpgsql as $$
    begin
      new.seed := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
      new.commitment := credential_event_actor_commitment(new);
      return new;
    end $$;

    update credential_event_actors set kind = 'system' where name in ('worker', 'schedule', 'command line', 'sample data');
    update credential_event_actors
    set seed = case when name !~ '^erased-[0-9a-f]{32}$' then uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) end;
    update credential_event_actors as actor set commitment = coalesce(
      credential_event_actor_commitment(actor), sha256(uuid_send(gen_random_uuid()))
    );
    alter table credential_event_actors
      alter column commitment set not null,
      add constraint credential_event_actors_name_key unique nulls not distinct (name, kind);

    create trigger commitment before insert on credential_event_actors
      for each row execute function commit_to_actor();
    -- An actor can't be renamed, except by an erasure.
    create trigger erasure_only before update on credential_event_actors
      for each row when (
        new.id is distinct from old.id or new.kind is distinct from old.kind
        or new.commitment is distinct from old.commitment or new.seed is not null
        or new.name !~ '^erased-[0-9a-f]{32}$'
      )
      execute function refuse_credential_event_change();

    -- Returns the id of an actor, who is added if new.
    create function credential_event_actor(actor_name text, actor_kind text) returns integer language plpgsql as $$
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
    create or replace function credential_event_actor(actor text) returns integer language sql as $$
      select credential_event_actor(
        actor, case when actor in ('worker', 'schedule', 'command line', 'sample data') then 'system' end
      )
    $$;

    -- Replaces an erased learner's name by a pseudonym where they acted as a member of staff.
    create function erase_credential_event_actor(username text, pseudonym text) returns void
    language plpgsql security definer as $$
    begin
      update credential_event_actors set name = pseudonym, seed = null
      where name = username and (kind = 'user' or kind is null);
    end $$;
    revoke execute on function erase_credential_event_actor from public;
  `);
}

/**
 * Adds three fields to the text of an event: remarks (joined by commas), its commitment and the actor's
 * commitment. Both commitments are in hexadecimal. `verify-event-chain.ts` has the same formula.
 */
export const TEXT = `array_to_string(remarks, ','), coalesce(encode(commitment, 'hex'), ''), encode(actor_commitment, 'hex')`;

/**
 * Defines how events are sealed. `more` has the additional columns, their fields in the text, and a statement that runs before.
 */
export async function createSealing(
  knex: Knex,
  more: { columns: string; text: string; first?: string },
): Promise<void> {
  const columns = `type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at${more.columns}`;
  const text = `'|', position, type, credential_uuid, configuration_id, actor_id, coalesce(status_before, ''), status_after,
    to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')${more.text}`;
  await knex.raw(`
    create or replace function seal_credential_events(batch integer) returns integer
    language plpgsql security definer as $$
    declare
      head credential_event_head;
      last_position bigint;
    begin
      if not exists (select from unsealed_credential_events) then return 0; end if;
      select * into head from credential_event_head for update skip locked;
      if not found then return 0; end if;
      ${more.first ?? ""}

      with unsealed as (
        delete from unsealed_credential_events
        where id in (select id from unsealed_credential_events order by id limit batch)
        returning *
      ),
      placed as (
        select head.position + row_number() over (order by unsealed.id) as position, ${columns},
          ${more.text === "" ? "null" : "(select commitment from credential_event_actors where id = actor_id)"} as actor_commitment
        from unsealed
      ),
      sealed as (
        insert into credential_events (position, hash, ${columns})
        select
          position,
          credential_event_chain(head.hash, convert_to(concat_ws(${text}), 'UTF8'))
            over (order by position rows unbounded preceding),
          ${columns}
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

    create or replace function check_sealed_credential_events() returns trigger language plpgsql as $$
    begin
      if exists (
        select ${columns} from removed
        except all
        select ${columns} from credential_events
        where position > (select max(position) from credential_events) - (select count(*) from removed)
      ) then
        raise exception 'unsealed_credential_events is append-only: delete is refused'
          using errcode = 'insufficient_privilege';
      end if;
      return null;
    end $$;
  `);
}

/** Anchors keep the time of the last removed event, unless `occurredAt` is false. `first` runs before anything is removed. */
export async function createRetention(
  knex: Knex,
  { occurredAt, first = "" }: { occurredAt: boolean; first?: string },
): Promise<void> {
  await knex.raw(`
    create or replace function remove_old_credential_events(days integer, batch integer) returns integer
    language plpgsql security definer as $$
    declare
      anchor record;
      removed integer;
    begin
      if days < 1 then raise exception 'events are kept for a day at least'; end if;
      perform from credential_event_head for update;
      ${first}

      select position, hash, newest into anchor
      from (
        select position, hash, max(occurred_at) over (order by position) as newest,
          bool_and(occurred_at < now() - make_interval(days => days)) over (order by position) as is_old
        from (select * from credential_events order by position limit batch) as oldest
      ) as oldest
      where is_old
      order by position desc limit 1;
      if not found then return 0; end if;

      insert into credential_event_anchors (position, hash${occurredAt ? ", occurred_at" : ""})
      values (anchor.position, anchor.hash${occurredAt ? ", anchor.newest" : ""});
      delete from credential_events where position <= anchor.position;
      get diagnostics removed = row_count;
      return removed;
    end $$;
  `);
}

/** Pins the search path of the functions, so that callers can't substitute their own tables. */
export async function pinSearchPath(knex: Knex, routines: readonly string[]): Promise<void> {
  await knex.raw(
    `do $$
    declare
      routine regprocedure;
    begin
      foreach routine in array array[${[...routines, ...replaced].map((routine) => `'${routine}'`).join(", ")}]::regprocedure[] loop
        execute format('alter function %s set search_path = %I, pg_temp', routine, current_schema());
      end loop;
    end $$`,
  );
}

/** The functions whose bodies `up` and `down` replace, which loses their pinned search path. */
const replaced = [
  "credential_event_actor(text)",
  "seal_credential_events(integer)",
  "remove_old_credential_events(integer, integer)",
  "check_sealed_credential_events()",
];

/** Removes the commitments, and chains the events that had them again without them. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    lock table credentials, unsealed_credential_events, credential_event_actors, credential_events,
      credential_event_head, credential_event_anchors in access exclusive mode;

    drop trigger erasure_only on credential_event_actors;
    drop trigger commitment on credential_event_actors;
    drop trigger commitment on unsealed_credential_events;
    drop trigger commitment_seed on credentials;
    drop function credential_event_actor(text, text), erase_credential_event_actor, commit_to_actor, commit_to_credential,
      draw_commitment_seed, credential_event_actor_commitment, credential_commitment, credential_facts;

    alter table credential_event_actors drop constraint credential_event_actors_name_key;
    update credential_event_actors as actor set name = left(name, 240) || ' (' || kind || ')'
    where exists (select from credential_event_actors as other where other.name = actor.name and other.id < actor.id);
    alter table credential_event_actors
      drop column kind, drop column seed, drop column commitment,
      add constraint credential_event_actors_name_key unique (name);

    alter table credentials drop column commitment_seed;
    alter table unsealed_credential_events drop column commitment, drop column remarks;
    alter table credential_events drop column commitment, drop column remarks;
    alter table credential_event_anchors drop column occurred_at;

    alter table credential_events disable trigger append_only;
    alter table credential_event_head disable trigger forward_only;
    with start as (
      select coalesce(
        (select hash from credential_events where position = commitments_from - 1),
        (select hash from credential_event_anchors order by position desc limit 1),
        decode(repeat('00', 32), 'hex')
      ) as hash, commitments_from
      from credential_event_head
    ),
    chained as (
      select position, credential_event_chain(start.hash, convert_to(concat_ws(
        '|', position, type, credential_uuid, configuration_id, actor_id, coalesce(status_before, ''), status_after,
        to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ), 'UTF8')) over (order by position rows unbounded preceding) as hash
      from credential_events cross join start where position >= commitments_from
    )
    update credential_events as event set hash = chained.hash from chained where event.position = chained.position;
    update credential_event_head as head set hash = event.hash from credential_events as event
    where event.position = head.position;
    alter table credential_event_head enable trigger forward_only;
    alter table credential_events enable trigger append_only;
    alter table credential_event_head drop column commitments_from;

    create or replace function credential_event_actor(actor text) returns integer language plpgsql as $$
    declare
      known integer;
    begin
      loop
        select id into known from credential_event_actors where name = actor;
        if found then return known; end if;
        insert into credential_event_actors (name) values (actor) on conflict do nothing;
      end loop;
    end $$;
  `);
  await createSealing(knex, { columns: "", text: "" });
  await createRetention(knex, { occurredAt: false });
  await pinSearchPath(knex, []);
}
