import type { Knex } from "knex";
import { createRetention, createSealing, pinSearchPath, TEXT } from "./011-commitments.js";

const indexes = {
  credential_events_by_credential: "(credential_uuid, position)",
  credential_events_by_actor: "(actor_id, position)",
  credential_events_by_rare_type: "(type, position) where type not in ('issued', 'available', 'emailed')",
  credential_events_by_time: "using brin (occurred_at)",
};

const sealing = { columns: ", remarks, commitment", text: `, ${TEXT}` };

/**
 * Partitions the events by position. The table there is becomes the first partition, without a look at its rows: locks are held
 * for milliseconds. Who seals adds the next partition when the last is half full. There is no default partition, as
 * PostgreSQL would no longer read the others in order of their positions.
 */
export async function up(knex: Knex): Promise<void> {
  await createPartitioning(knex);
  await knex.raw(`
    lock table credential_events in access exclusive mode;
    alter table credential_events rename to credential_events_from_1;
    alter table credential_events_from_1 rename constraint credential_events_pkey to credential_events_from_1_pkey;
    ${Object.keys(indexes)
      .map((name) => `alter index ${name} rename to ${name.replace("_events_", "_events_from_1_")};`)
      .join("\n")}

    create table credential_events (like credential_events_from_1 including defaults including constraints)
      partition by range (position);
    alter table credential_events drop constraint credential_events_bound;
    alter table credential_events add constraint credential_events_pkey primary key (position);
    ${createIndexes("credential_events")}
    create trigger append_only before update or truncate on credential_events
      execute function refuse_credential_event_change();
    create trigger removed_up_to_anchor after delete on credential_events referencing old table as removed
      execute function check_removed_credential_events();
    do $$
    declare
      bound bigint := (
        select (regexp_match(pg_get_constraintdef(oid), '\\d+'))[1] from pg_constraint
        where conrelid = 'credential_events_from_1'::regclass and conname = 'credential_events_bound'
      );
    begin
      execute format(
        'alter table credential_events attach partition credential_events_from_1 for values from (1) to (%s)', bound
      );
    end $$;
    alter table credential_events_from_1 drop constraint credential_events_bound;
    ${moveGrants("credential_events_from_1", "credential_events")}
  `);
  await createSealing(knex, {
    ...sealing,
    first: "perform make_room_for_credential_events(head.position, batch);",
  });
  await createRetention(knex, {
    occurredAt: true,
    first: `removed := drop_old_credential_events(days);
      if removed > 0 then return removed; end if;`,
  });
  await pinSearchPath(knex, [
    "credential_event_partitions()",
    "make_room_for_credential_events(bigint, integer)",
    "drop_old_credential_events(integer)",
  ]);
}

function createIndexes(table: string): string {
  return Object.entries(indexes)
    .map(([name, definition]) => `create index ${name} on ${table} ${definition};`)
    .join("\n");
}

/** Running processes go on reading, before this version grants anything. Partitions are read through their table alone. */
function moveGrants(from: string, to: string): string {
  return `
    do $$
    declare
      granted record;
    begin
      for granted in
        select case grantee when 0 then 'public' else grantee::regrole::text end as role, privilege_type as privilege
        from pg_class cross join aclexplode(relacl)
        where pg_class.oid = '${from}'::regclass and grantee <> relowner
      loop
        execute format('grant %s on ${to} to %s', granted.privilege, granted.role);
        execute format('revoke %s on ${from} from %s', granted.privilege, granted.role);
      end loop;
    end $$;`;
}

async function createPartitioning(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Each partition, with its first position and that of the next one, in order.
    create function credential_event_partitions() returns table (name regclass, first bigint, bound bigint)
    language sql stable as $$
      select oid::regclass, bounds[1]::bigint, bounds[2]::bigint
      from pg_inherits
      join pg_class on pg_class.oid = inhrelid
      cross join regexp_match(
        pg_get_expr(relpartbound, pg_class.oid), 'FROM \\(''*(\\d+)''*\\) TO \\(''*(\\d+)''*\\)'
      ) as bounds
      where inhparent = 'credential_events'::regclass
      order by 2
    $$;

    -- Adds a partition when the last is half full, so that there is time to wait for whoever changes the table. To attach one,
    -- unlike to create it in its place, waits for no reader.
    create function make_room_for_credential_events(last bigint, batch integer) returns void language plpgsql as $$
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

    -- Drops the oldest partition if it is full and all its events are old, or removed. Returns how many there were; 0 also while
    -- somebody reads them for long: then they are removed one by one.
    create function drop_old_credential_events(days integer) returns integer language plpgsql as $$
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
          -- Whoever reads or seals waits behind this one.
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
    revoke execute on function credential_event_partitions, make_room_for_credential_events, drop_old_credential_events
      from public;
  `);
}

/** Copies all events into one table again, which takes its time. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    lock table credential_event_head, credential_events in access exclusive mode;
    create table credential_events_plain (like credential_events including defaults including constraints) with (
      autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02
    );
    insert into credential_events_plain select * from credential_events order by position;
    do $$ begin
      execute format(
        'alter table credential_events_plain add constraint credential_events_bound check (position < %s)',
        (select max(bound) from credential_event_partitions())
      );
    end $$;
    ${moveGrants("credential_events", "credential_events_plain")}
    drop table credential_events;
    drop function credential_event_partitions, make_room_for_credential_events, drop_old_credential_events;
    alter table credential_events_plain rename to credential_events;
    alter table credential_events add constraint credential_events_pkey primary key (position);
    ${createIndexes("credential_events")}
    create trigger append_only before update or truncate on credential_events
      execute function refuse_credential_event_change();
    create trigger removed_up_to_anchor after delete on credential_events referencing old table as removed
      execute function check_removed_credential_events();
  `);
  await createSealing(knex, sealing);
  await createRetention(knex, { occurredAt: true });
  await pinSearchPath(knex, []);
}
