/**
 * Appends outcomes. A client that lost the response sends an outcome again, so only the first outcome of an entry is
 * kept.
 */
export const appendAuditOutcomes = `
  create or replace function append_audit_outcomes(entry_ids bigint[], codes text[], changes text[]) returns void
  language sql security definer set search_path from current as $$
    insert into audit_outcomes (entry_id, code, changes)
    select ended.id, ended.code, ended.changed::jsonb
    from unnest(entry_ids, codes, changes) as ended (id, code, changed)
    on conflict do nothing
  $$;
  revoke execute on function append_audit_outcomes from public;
`;
