/**
 * Removes the oldest events, up to the first event that is younger than the given number of days. Returns the number of
 * removed events.
 */
export const removeOldCredentialEvents = `
  create or replace function remove_old_credential_events(days integer, batch integer) returns integer
  language plpgsql security definer set search_path from current as $$
  declare
    anchor record;
    removed integer;
  begin
    if days < 1 then raise exception 'events are kept for a day at least'; end if;
    perform from credential_event_head for update;
    removed := drop_old_credential_events(days);
    if removed > 0 then return removed; end if;

    select position, hash, newest into anchor
    from (
      select position, hash, max(occurred_at) over (order by position) as newest,
        bool_and(occurred_at < now() - make_interval(days => days)) over (order by position) as is_old
      from (select * from credential_events order by position limit batch) as oldest
    ) as oldest
    where is_old
    order by position desc limit 1;
    if not found then return 0; end if;

    insert into credential_event_anchors (position, hash, occurred_at)
    values (anchor.position, anchor.hash, anchor.newest);
    delete from credential_events where position <= anchor.position;
    get diagnostics removed = row_count;
    return removed;
  end $$;
  revoke execute on function remove_old_credential_events from public;
`;
