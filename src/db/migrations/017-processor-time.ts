import type { Knex } from "knex";

/** Replaces statements by equivalent ones that take less of PostgreSQL's processor time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Learners whose accounts are not in use. There are few, so checking many names at once costs next to
    -- nothing.
    create index learners_shut_out on learners (username) where not is_active and not is_deleted;

    -- Compressing the ids of a message with 500 learners took longer than storing them.
    alter table audit_entries alter column learner_ids set storage external;

    -- Adds names that are new to the trail, in a fixed order: so two callers that add the same names don't
    -- deadlock.
    create function add_audit_names(entries jsonb, is_anyone_erased boolean) returns void language sql as $$
      insert into audit_names (name, bearer, issuer, subject)
      select name, bearer, issuer, subject
      from (
        select name, bearer, issuer, subject
        from jsonb_to_recordset(entries) as told (name text, bearer text, issuer text, subject text)
        union
        select case when is_anyone_erased then audit_learner_name(learner) else learner end, 'learner', '', ''
        from jsonb_to_recordset(entries) as told (learners text[]), unnest(learners) as learner
      ) as named
      where (
        select id from audit_names known
        where (known.name, known.bearer, known.issuer, known.subject)
          = (named.name, named.bearer, named.issuer, named.subject)
      ) is null
      order by 1, 2, 3, 4
      on conflict do nothing
    $$;
    revoke execute on function add_audit_names from public;

    -- Appends entries and returns their ids in the same order. It waits for an erasure that has begun, which
    -- would miss the new names. The learners of an entry are looked up together, ordered by name.
    create or replace function append_audit_entries(entries jsonb) returns setof bigint
    language plpgsql security definer
    -- One plan for all calls: it looks names up in their index, whatever their number.
    set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
    as $$
    declare
      is_anyone_erased boolean := false;
    begin
      if jsonb_path_exists(entries, '$[*].learners[*]') then
        lock table erased_learners in row share mode;
        is_anyone_erased := exists (select from erased_learners);
      end if;

      -- Nearly always all names are known. Otherwise nothing is appended, they are added, and it is done again.
      for attempt in 1..2 loop
        return query
        with resolved as materialized (
          select told.*,
            (
              select id from audit_names caller
              where (caller.name, caller.bearer, caller.issuer, caller.subject)
                = (told.name, told.bearer, told.issuer, told.subject)
            ) as caller_id,
            array(
              select id from audit_names learner
              where learner.name = any(
                case when is_anyone_erased then array(select audit_learner_name(asked) from unnest(told.learners) as asked)
                  else told.learners end
              ) and (learner.bearer, learner.issuer, learner.subject) = ('learner', '', '')
              order by learner.name
            ) as learner_ids
          from rows from (
            jsonb_to_recordset(entries) as (
              part_of bigint, caller_kind text, name text, bearer text, issuer text, subject text, method text,
              learners text[], objects text[], request_id text, source text, code text
            )
          ) with ordinality as told (
            part_of, caller_kind, name, bearer, issuer, subject, method, learners, objects, request_id, source, code,
            position
          )
        )
        insert into audit_entries (
          part_of, caller_kind, caller_id, method, learner_ids, objects, request_id, source, code
        )
        select part_of, caller_kind, caller_id, method, learner_ids, objects, request_id, source, code
        from resolved
        where attempt = 2 or not exists (
          select from resolved where caller_id is null or cardinality(learner_ids) < cardinality(learners)
        )
        order by position
        returning id;
        exit when found;
        perform add_audit_names(entries, is_anyone_erased);
      end loop;
    end $$;
  `);
  await pinSearchPath(knex, ["add_audit_names(jsonb, boolean)", "append_audit_entries(jsonb)"]);
}

/** Pins the search path of the functions, so that callers can't substitute their own tables. */
async function pinSearchPath(knex: Knex, routines: readonly string[]): Promise<void> {
  await knex.raw(
    `do $$
    declare
      routine regprocedure;
    begin
      foreach routine in array array[${routines.map((routine) => `'${routine}'`).join(", ")}]::regprocedure[] loop
        execute format('alter function %s set search_path = %I, pg_temp', routine, current_schema());
      end loop;
    end $$`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index learners_shut_out;
    alter table audit_entries alter column learner_ids set storage extended;

    create or replace function append_audit_entries(entries jsonb) returns setof bigint
    language plpgsql security definer as $$
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
    drop function add_audit_names;
  `);
  await pinSearchPath(knex, ["append_audit_entries(jsonb)"]);
}
