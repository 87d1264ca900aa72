import type { Knex } from "knex";

/**
 * Creates the audit trail: every call that changes something, and every read about learners by staff,
 * services and commands.
 *
 * Entries and outcomes are append-only. A function appends them and sets their times by the database's clock.
 * Names have a table of their own, so that an erasure replaces a name without touching the entries.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_names (
      id bigint generated always as identity primary key,
      -- A learner named by a call, a user or service that calls, or the system account that runs a command.
      bearer text not null check (bearer in ('learner', 'user', 'service', 'account')),
      name text collate "C" not null check (length(name) between 1 and 255),
      -- Identity provider and subject of a caller, if the token contains them.
      issuer text collate "C" not null default '' check (length(issuer) <= 255),
      subject text collate "C" not null default '' check (length(subject) <= 255),
      unique (name, bearer, issuer, subject)
    );

    create table audit_entries (
      id bigint generated always as identity primary key,
      entered_at timestamptz(3) not null default clock_timestamp(),
      -- For each further message of a stream: the first entry of the same call.
      part_of bigint,
      caller_kind text not null check (caller_kind in ('user', 'staff', 'service', 'command line')),
      caller_id bigint not null,
      method text not null check (length(method) between 1 and 255),
      -- The learners named by the call.
      learner_ids bigint[] not null,
      -- What else it names, such as 'credential:<uuid>' or 'configuration:<id>'.
      objects text[] not null,
      request_id text not null check (length(request_id) <= 255),
      source text not null check (length(source) <= 255),
      -- Set here if the call is entered after it has ended. Otherwise the outcome is appended.
      code text check (length(code) <= 255)
    );
    create index audit_entries_entered_at on audit_entries using brin (entered_at);

    create table audit_outcomes (
      entry_id bigint primary key,
      ended_at timestamptz(3) not null default clock_timestamp(),
      code text not null check (length(code) <= 255)
    );
  `);
  await createFunctions(knex);
  await createGuards(knex);
}

async function createFunctions(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Returns the name of a learner in the trail. A later call must not bring an erased name back. So a hash
    -- stands in for the name until a record of that learner exists again.
    create function audit_learner_name(asked text) returns text language sql stable as $$
      select coalesce(
        (
          select 'erased-' || left(encode(username_hash, 'hex'), 32)
          from erasure_key
          join erased_learners on username_hash = sha256(key || convert_to(asked, 'UTF8'))
          where not exists (select from learners where username = asked)
        ),
        asked
      )
    $$;

    -- Appends entries and returns their ids in the same order. It waits for an erasure that has begun, which
    -- would miss the new names. Names are looked up one by one: a join reads all of them, even for a single
    -- entry.
    create function append_audit_entries(entries jsonb) returns setof bigint language plpgsql security definer as $$
    declare
      is_anyone_erased boolean;
    begin
      if jsonb_path_exists(entries, '$[*].learners[*]') then lock table erased_learners in row share mode; end if;
      is_anyone_erased := exists (select from erased_learners);

      insert into audit_names (name, bearer, issuer, subject)
      select distinct name, bearer, issuer, subject
      from (
        select name, bearer, issuer, subject
        from jsonb_to_recordset(entries) as told (name text, bearer text, issuer text, subject text)
        union all
        select case when is_anyone_erased then audit_learner_name(learner) else learner end, 'learner', '', ''
        from jsonb_to_recordset(entries) as told (learners text[]), unnest(learners) as learner
      ) as named
      where (
        select id from audit_names known
        where (known.name, known.bearer, known.issuer, known.subject)
          = (named.name, named.bearer, named.issuer, named.subject)
      ) is null
      order by 1, 2, 3, 4
      on conflict do nothing;

      return query
      insert into audit_entries (
        part_of, caller_kind, caller_id, method, learner_ids, objects, request_id, source, code
      )
      select
        told.part_of, told.caller_kind,
        (
          select id from audit_names caller
          where (caller.name, caller.bearer, caller.issuer, caller.subject)
            = (told.name, told.bearer, told.issuer, told.subject)
        ),
        told.method,
        array(
          select (
            select id from audit_names learner
            where learner.name = case when is_anyone_erased then audit_learner_name(asked.name) else asked.name end
              and (learner.bearer, learner.issuer, learner.subject) = ('learner', '', '')
          )
          from unnest(told.learners) with ordinality as asked (name, position)
          order by position
        ),
        told.objects, told.request_id, told.source, told.code
      from rows from (
        jsonb_to_recordset(entries) as (
          part_of bigint, caller_kind text, name text, bearer text, issuer text, subject text, method text,
          learners text[], objects text[], request_id text, source text, code text
        )
      ) with ordinality as told (
        part_of, caller_kind, name, bearer, issuer, subject, method, learners, objects, request_id, source, code, position
      )
      order by told.position
      returning id;
    end $$;

    -- The first outcome of an entry counts: a client that lost the answer sends it again.
    create function append_audit_outcomes(entry_ids bigint[], codes text[]) returns void
    language sql security definer as $$
      insert into audit_outcomes (entry_id, code) select * from unnest(entry_ids, codes) on conflict do nothing
    $$;

    -- Replaces an erased learner's name by a pseudonym. Nobody else can be hidden, since the erasure is
    -- recorded first.
    create function pseudonymise_audit_names(erased text, pseudonym text) returns void
    language plpgsql security definer as $$
    begin
      if pseudonym !~ '^erased-[0-9a-f]{32}$' then
        raise exception 'a made-up name is needed' using errcode = 'insufficient_privilege';
      end if;
      if not exists (
        select from erasure_key join erased_learners on username_hash = sha256(key || convert_to(erased, 'UTF8'))
      ) then
        raise exception 'only the names of erased learners are replaced' using errcode = 'insufficient_privilege';
      end if;
      -- What the token said besides would tell them, too; the id keeps apart what were several.
      update audit_names set
        name = pseudonym, issuer = '', subject = case when issuer = '' and subject = '' then '' else id::text end
      where name = erased and bearer in ('learner', 'user');
    end $$;

    -- Removes up to "batch" of the oldest entries older than the given days, and returns their number.
    create function remove_old_audit_entries(days integer, batch integer) returns integer
    language plpgsql security definer as $$
    declare
      removed integer;
    begin
      if days < 1 then raise exception 'audit entries are kept for a day at least'; end if;
      with oldest as (
        select id, entered_at from audit_entries order by id limit batch
      ), old as (
        delete from audit_entries using oldest
        where audit_entries.id = oldest.id and oldest.entered_at < now() - make_interval(days => days)
        returning audit_entries.id
      ), outcomes as (
        delete from audit_outcomes using old where entry_id = old.id
      )
      select count(*) into removed from old;
      return removed;
    end $$;

    revoke execute on function append_audit_entries, append_audit_outcomes, pseudonymise_audit_names,
      remove_old_audit_entries from public;
  `);
  await pinSearchPath(knex);
}

/** Pins the search path of the functions, so that callers can't substitute their own tables. */
async function pinSearchPath(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$
    declare
      routine regprocedure;
    begin
      foreach routine in array array[
        'append_audit_entries(jsonb)', 'append_audit_outcomes(bigint[], text[])',
        'pseudonymise_audit_names(text, text)', 'remove_old_audit_entries(integer, integer)'
      ]::regprocedure[] loop
        execute format('alter function %s set search_path = %I, pg_temp', routine, current_schema());
      end loop;
    end $$
  `);
}

/** Grants don't bind the owner of a table; triggers do, until they are disabled. */
async function createGuards(knex: Knex): Promise<void> {
  await knex.raw(`
    create trigger append_only before update or truncate on audit_entries
      execute function refuse_credential_event_change();
    create trigger append_only before update or truncate on audit_outcomes
      execute function refuse_credential_event_change();
    create trigger append_only before delete or truncate on audit_names
      execute function refuse_credential_event_change();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function append_audit_entries, append_audit_outcomes, pseudonymise_audit_names, remove_old_audit_entries;
    drop function audit_learner_name;
    drop table audit_entries, audit_outcomes, audit_names;
  `);
}
