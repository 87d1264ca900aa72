import { type Db, execute, type Knex, query, queryRows } from "#infrastructure/db/query.js";
import { WORKER } from "#infrastructure/identity/actors.js";
import { type Organisations, withinSql } from "../../learners/organisations.js";
import type { CredentialEventType } from "./append-events.js";
import type { CredentialEvent } from "./credential-event.js";

/** Maximum number of events per query. */
export const EVENT_BATCH = 1000;

const selectEvents = `select position, type, credential_uuid as "credentialUuid", configuration_id as "configurationId",
       actor.name as actor, actor.kind as "actorKind", occurred_at as "occurredAt", status_before as "statusBefore",
       status_after as "statusAfter", remarks, encode(hash, 'hex') as hash
     from credential_events
     join credential_event_actors as actor on actor.id = actor_id`;

/**
 * Prevents partitions of events from being dropped until the transaction ends, because a snapshot would lose their
 * events. Meanwhile, retention removes events one by one. Call this before the first query, which begins the snapshot.
 */
export async function holdPartitions(transaction: Knex.Transaction): Promise<void> {
  await execute(transaction, "lock table credential_events in access share mode");
}

/** Reads the next events after a position, in order, at most `EVENT_BATCH`. */
export async function readEvents(db: Db, afterPosition: number): Promise<CredentialEvent[]> {
  const { rows } = await query<CredentialEvent>(
    db,
    "read_events",
    `${selectEvents}
     -- Positions have no gaps. With a limit instead of the upper bound, Postgres might sort all later events.
     where position > ? and position <= ?
     order by position`,
    [afterPosition, afterPosition + EVENT_BATCH],
  );
  return rows;
}

/**
 * Reads at most `limit` events of some types among the next `EVENT_BATCH`, in order.
 * @param types empty for all types
 */
export async function readEventsOfTypes(
  db: Db,
  afterPosition: number,
  types: readonly CredentialEventType[],
  limit: number,
): Promise<CredentialEvent[]> {
  const { rows } = await query<CredentialEvent>(
    db,
    "read_events_of_types",
    `${selectEvents}
     where position > ? and position <= ? and (cardinality(?::text[]) = 0 or type = any(?::text[]))
     order by position limit ?`,
    [afterPosition, afterPosition + EVENT_BATCH, types, types, limit],
  );
  return rows;
}

/**
 * Returns an event's hash in hexadecimal. If the event was removed, returns the hash that retention kept, or an empty
 * string if retention kept none.
 */
export async function readHash(db: Db, position: number): Promise<string> {
  const { rows } = await query<{ hash: string }>(
    db,
    "event_hash",
    `select encode(hash, 'hex') as hash from credential_events where position = ?
     union all
     select encode(hash, 'hex') from credential_event_anchors where position = ?`,
    [position, position],
  );
  return rows[0]?.hash ?? "";
}

interface ChainBounds {
  /** Position up to which retention has removed events; 0 if it has removed none. */
  readonly removedUpTo: number;
  /** Position of the last event; 0 if there are no events. */
  readonly last: number;
}

export async function readBounds(db: Db): Promise<ChainBounds> {
  const { rows } = await query<ChainBounds>(
    db,
    "event_bounds",
    `select position as last,
       (select coalesce(max(position), 0) from credential_event_anchors) as "removedUpTo"
     from credential_event_head`,
    [],
  );
  return rows[0] ?? { removedUpTo: 0, last: 0 };
}

export async function findConfigurationsWithin(
  db: Db,
  configurationIds: readonly number[],
  organisations: readonly string[],
): Promise<ReadonlySet<number>> {
  const { rows } = await query<{ id: number }>(
    db,
    "configurations_within",
    `select id from credential_configurations
     where id = any (?::integer[]) and ${withinSql("learning_context_key", organisations, "?")}`,
    [configurationIds, organisations],
  );
  return new Set(rows.map(({ id }) => id));
}

/** SQL: whether the event is about a credential of one of the organisations. */
function isOfOrganisations(organisations: readonly string[]): string {
  return `configuration_id in (
    select id from credential_configurations where ${withinSql("learning_context_key", organisations, "?")}
  )`;
}

/** Fields that are empty or null don't filter. */
export interface EventFilter {
  readonly credentialUuid: string | null;
  readonly actor: string;
  readonly types: readonly CredentialEventType[];
  readonly from: Date | null;
  readonly before: Date | null;
  readonly organisations?: Organisations;
}

/** Lists events with positions below `belowPosition`, newest first. 0 starts from the latest event. */
export async function listEvents(
  db: Knex,
  { credentialUuid, actor, types, from, before, organisations }: EventFilter,
  belowPosition: number,
  limit: number,
): Promise<CredentialEvent[]> {
  const conditions: string[] = [];
  const bindings: unknown[] = [];
  const restrict = (condition: string, value: unknown) => {
    conditions.push(condition);
    bindings.push(value);
  };
  if (belowPosition !== 0) restrict("position < ?", belowPosition);
  if (credentialUuid !== null) restrict("credential_uuid = ?::uuid", credentialUuid);
  if (actor !== "")
    restrict("actor_id = any (array(select id from credential_event_actors where name = ?))", actor);
  // Allows Postgres to use the index by actor, which excludes the many events that only the worker causes.
  if (actor !== "" && actor !== WORKER.name) conditions.push("type not in ('available', 'emailed')");
  if (types.length > 0) restrict("type = any (?::text[])", types);
  if (from !== null) restrict("occurred_at >= ?", from);
  if (before !== null) restrict("occurred_at < ?", before);
  if (organisations !== undefined) restrict(isOfOrganisations(organisations), organisations);
  return queryRows<CredentialEvent>(
    db,
    `${selectEvents} ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}
     order by position desc limit ?`,
    [...bindings, limit],
  );
}
