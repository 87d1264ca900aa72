/** Rejects the removal of events, except from the old end of the chain, up to an anchor set in the same transaction. */
export const checkRemovedCredentialEvents = `
  create or replace function check_removed_credential_events() returns trigger
  language plpgsql set search_path from current as $$
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
`;
