/**
 * The log of events. An event is written unsealed, in the transaction of the change that it describes. One process at a
 * time then gives committed events their position and their link in the chain. A sequence would assign positions before
 * the commit, and readers that follow it would miss late commits.
 *
 * Events contain no names. Actors have a table of their own, where a name can be removed without breaking the chain.
 *
 * Events prove the content of credentials. Each has a commitment: a salted hash of everything that its credential
 * stated at that moment. A credential that someone has edited directly in the database no longer matches its
 * commitment.
 */
export const events = `
  create table credential_event_actors (
    id integer generated always as identity primary key,
    name text collate "C" not null check (length(name) between 1 and 255),
    kind text not null check (kind in ('user', 'service', 'system')),
    -- The chain contains the actor's commitment, so that a changed name is detected. Erasing the name deletes the
    -- seed and keeps the commitment.
    seed bytea,
    commitment bytea not null check (length(commitment) = 32),
    unique (name, kind)
  );

  -- There is no foreign key to the actors, because it would look up the same actor for each of a run's 100,000
  -- events. A trigger checks the actors once per statement instead. Actors are never deleted.
  create table unsealed_credential_events (
    id bigint generated always as identity primary key,
    type text not null check (type in (
      'issued', 'available', 'failed', 'invalidated', 'reissued', 'emailed', 'email_refused', 'erased', 'imported',
      'links_revoked', 'expired', 'renewed', 'renamed'
    )),
    credential_uuid uuid not null,
    configuration_id integer not null,
    actor_id integer not null,
    status_before text check (status_before in ('generating', 'available', 'error', 'invalidated')),
    status_after text not null check (status_after in ('generating', 'available', 'error', 'invalidated')),
    occurred_at timestamptz(3) not null default clock_timestamp(),
    commitment bytea check (length(commitment) = 32),
    remarks text[] not null default '{}' check (remarks <@ array['eligibility_skipped', 'self_issued'])
  );

  -- There are no foreign keys, because an event's references were checked before it was sealed.
  create table credential_events (
    position bigint primary key check (position > 0),
    hash bytea not null check (length(hash) = 32),
    type text not null,
    credential_uuid uuid not null,
    configuration_id integer not null,
    actor_id integer not null,
    status_before text,
    status_after text not null,
    occurred_at timestamptz(3) not null,
    commitment bytea,
    remarks text[] not null default '{}'
  ) partition by range (position);

  -- The process that seals events adds the next partition when the last one is half full. There is no default
  -- partition, because PostgreSQL would then no longer read the partitions in the order of their positions.
  create table credential_events_from_1 partition of credential_events for values from (1) to (50000001)
    with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

  -- Most events are of the types issued, available and emailed. Only the other types have an index by type, because a
  -- page of frequent events is found by reading backwards. The index by actor leaves out the types available and
  -- emailed, because their actor is always the worker. Positions ascend with time, so a small BRIN index is enough to
  -- find a time.
  ${[
    ["credential", "(credential_uuid, position)"],
    ["actor", "(actor_id, position) where type not in ('available', 'emailed')"],
    ["rare_type", "(type, position) where type not in ('issued', 'available', 'emailed')"],
    ["time", "using brin (occurred_at)"],
  ]
    .map(
      ([name, definition]) => `
  create index credential_events_from_1_by_${name} on credential_events_from_1 ${definition};
  create index credential_events_by_${name} on credential_events ${definition};`,
    )
    .join("")}

  -- The last event of the chain. It is stored separately, so that the removal of the latest events is detected. The
  -- process that seals events locks this row.
  create table credential_event_head (
    is_only boolean primary key default true check (is_only),
    position bigint not null,
    hash bytea not null check (length(hash) = 32)
  );
  insert into credential_event_head (position, hash) values (0, decode(repeat('00', 32), 'hex'));

  -- The last event of each part of the chain that was removed because of its age. The chain continues after it.
  create table credential_event_anchors (
    position bigint primary key,
    hash bytea not null check (length(hash) = 32),
    removed_at timestamptz not null default now(),
    transaction_id xid8 not null default pg_current_xact_id(),
    occurred_at timestamptz(3)
  );

  create trigger commitment before insert on credential_event_actors
    for each row execute function commit_to_actor();
  -- An actor can't be renamed, except by an erasure.
  create trigger erasure_only before update on credential_event_actors
    for each row when (
      (new.id, new.kind, new.commitment) <> (old.id, old.kind, old.commitment) or new.seed is not null
      or new.name !~ '^erased-[0-9a-f]{32}$'
    )
    execute function refuse_credential_event_change();

  create trigger known_actors after insert on unsealed_credential_events referencing new table as added
    for each statement execute function check_credential_event_actors();
  -- Statements that insert events of many credentials set the commitments themselves, which takes half the time.
  create trigger commitment before insert on unsealed_credential_events
    for each row when (new.commitment is null) execute function commit_to_credential();
  create trigger removed_when_sealed after delete on unsealed_credential_events referencing old table as removed
    execute function check_sealed_credential_events();

  -- Privileges don't restrict the owner of a table. Triggers do, until the owner disables them.
  create trigger append_only before update or truncate on unsealed_credential_events
    execute function refuse_credential_event_change();
  create trigger append_only before update or delete or truncate on credential_event_anchors
    execute function refuse_credential_event_change();
  create trigger append_only before delete or truncate on credential_event_head
    execute function refuse_credential_event_change();
  create trigger append_only before delete or truncate on credential_event_actors
    execute function refuse_credential_event_change();
  create trigger forward_only before update on credential_event_head
    for each row when (new.position <= old.position) execute function refuse_credential_event_change();
  ${["credential_events", "credential_events_from_1"]
    .map(
      (table) => `
  create trigger append_only before update or truncate on ${table}
    execute function refuse_credential_event_change();
  create trigger removed_up_to_anchor after delete on ${table} referencing old table as removed
    execute function check_removed_credential_events();`,
    )
    .join("")}
`;
