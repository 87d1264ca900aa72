/**
 * Drops the oldest partition if it is full and all its events are old or removed. Returns the number of dropped events.
 * Returns 0 if a long-running reader blocks the drop; the events are then removed one by one.
 */
export const dropOldCredentialEvents = `
  create or replace function drop_old_credential_events(days integer) returns integer
  language plpgsql set search_path from current as $$
  declare
    oldest record;
    last record;
    start bigint;
    newest timestamptz;
    patience text := current_setting('lock_timeout');
  begin
    for oldest in
      select * from credential_event_partitions() as partitions
      where partitions.bound <= (select position from credential_event_head)
    loop
      execute format('select position, hash, occurred_at from %s order by position desc limit 1', oldest.name) into last;
      if last.position is not null then
        execute format('select max(occurred_at) from %s where occurred_at >= $1', oldest.name)
          into newest using last.occurred_at;
        if newest >= now() - make_interval(days => days) then return 0; end if;
        execute format('select min(position) from %s', oldest.name) into start;
      end if;
      begin
        -- Waits only briefly for the lock, because readers and sealing wait meanwhile.
        perform set_config('lock_timeout', '100ms', true);
        execute format('drop table %s', oldest.name);
        perform set_config('lock_timeout', patience, true);
        if last.position is not null then
          insert into credential_event_anchors (position, hash, occurred_at) values (last.position, last.hash, newest);
          return last.position - start + 1;
        end if;
      exception when lock_not_available then
        return 0;
      end;
    end loop;
    return 0;
  end $$;
  revoke execute on function drop_old_credential_events from public;
`;
