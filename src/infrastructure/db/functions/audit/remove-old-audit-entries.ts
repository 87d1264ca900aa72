/** Removes up to `batch` of the oldest entries older than the given days, and returns their number. */
export const removeOldAuditEntries = `
  create or replace function remove_old_audit_entries(days integer, batch integer) returns integer
  language plpgsql security definer set search_path from current as $$
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
  revoke execute on function remove_old_audit_entries from public;
`;
