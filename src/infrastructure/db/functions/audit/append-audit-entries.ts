/**
 * Appends entries and returns their ids in the same order. Waits for an erasure that has started, because the erasure
 * would otherwise not replace the names in the new entries.
 *
 * The plan is the same for all calls. It looks names up in their index, however many names there are. JIT is off:
 * because of the disabled scans, the plan looks so expensive that PostgreSQL would compile it for each call. Compiling
 * takes a hundred times longer than running the plan.
 */
export const appendAuditEntries = `
  create or replace function append_audit_entries(entries jsonb) returns setof bigint
  language plpgsql security definer
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
  set search_path from current as $$
  declare
    is_anyone_erased boolean := false;
  begin
    if jsonb_path_exists(entries, '$[*].learners[*]') then
      lock table erased_learners in row share mode;
      is_anyone_erased := exists (select from erased_learners);
    end if;

    -- Usually, audit_names contains all names, and the first attempt succeeds. Otherwise, the first attempt appends
    -- nothing, the missing names are added, and the second attempt succeeds.
    for attempt in 1..2 loop
      return query
      with resolved as materialized (
        select recorded.*,
          (
            select id from audit_names caller
            where (caller.name, caller.bearer, caller.issuer, caller.subject)
              = (recorded.name, recorded.bearer, recorded.issuer, recorded.subject)
          ) as caller_id,
          array(
            select id from audit_names learner
            where learner.name = any(
              case when is_anyone_erased then audit_learner_names(recorded.learners) else recorded.learners end
            ) and (learner.bearer, learner.issuer, learner.subject) = ('learner', '', '')
            order by learner.name
          ) as learner_ids
        from rows from (
          jsonb_to_recordset(entries) as (
            part_of bigint, caller_kind text, name text, bearer text, issuer text, subject text, method text,
            learners text[], objects text[], request_id text, source text, code text
          )
        ) with ordinality as recorded (
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
  revoke execute on function append_audit_entries from public;
`;
