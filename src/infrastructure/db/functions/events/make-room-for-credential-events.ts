/**
 * Adds a partition while the last partition is only half full, so that there is time to wait for other writers. Creates
 * a table and then attaches it, because attaching doesn't wait for readers, unlike creating a partition directly.
 */
export const makeRoomForCredentialEvents = `
  create or replace function make_room_for_credential_events(last bigint, batch integer) returns void
  language plpgsql set search_path from current as $$
  declare
    per_partition bigint := credential_events_per_partition();
    bound bigint := (select max(partitions.bound) from credential_event_partitions() as partitions);
    name text;
  begin
    if bound - 1 - last - batch >= per_partition / 2 then return; end if;
    batch := (select count(*) from (select from unsealed_credential_events limit batch) as waiting);
    while bound is null or bound - 1 - last - batch < per_partition / 2 loop
      bound := coalesce(bound, last + 1);
      begin
        name := format('credential_events_from_%s', bound);
        execute format(
          'create table %I (like credential_events including defaults including constraints)
           with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)', name
        );
        execute format(
          'create trigger append_only before update or truncate on %I
           execute function refuse_credential_event_change()', name
        );
        execute format(
          'create trigger removed_up_to_anchor after delete on %I referencing old table as removed
           execute function check_removed_credential_events()', name
        );
        execute format(
          'alter table credential_events attach partition %I for values from (%s) to (%s)',
          name, bound, bound + per_partition
        );
      exception when lock_not_available then
        if bound <= last + batch then raise; end if;
        return;
      end;
      bound := bound + per_partition;
    end loop;
  end $$;
  revoke execute on function make_room_for_credential_events from public;
`;
