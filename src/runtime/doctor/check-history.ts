import { holdPartitions } from "#domain/credentials/events/event-store.js";
import { inSnapshot } from "#infrastructure/db/database.js";
import { commitmentSql } from "#infrastructure/db/functions/credentials/credential-commitment.js";
import { type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";
import type { DoctorDeps } from "./doctor-deps.js";
import type { Finding, FindingKind } from "./finding.js";

/** Approximate number of events that one query compares. A query reads all events of a range of UUIDs. */
const EVENT_BATCH = 200_000;
/**
 * Number of possible values of a UUID's first 16 bits. UUIDs are random, so these bits divide them into equal ranges.
 */
const UUID_PREFIXES = 0x1_0000;
/**
 * Maximum difference between the times of a credential and its event. The credential has the time at which its
 * transaction started, and the event has the time at which the event was written.
 */
const MAX_TRANSACTION_TIME = "1 hour";

/** A credential that contradicts its events, with the contradiction and the evidence. */
interface Suspect {
  readonly uuid: string;
  readonly kind: FindingKind;
  /** Position of the first event that shows the contradiction; null if there is none or it isn't sealed yet. */
  readonly position: number | null;
  readonly detail: string;
}

/**
 * Checks that each credential agrees with its events. The events must record that it was issued or imported, and form a
 * possible sequence of steps. The credential must match the commitments and dates of its events.
 *
 * A credential and its events are written in one transaction and read from one snapshot, so the service may be running.
 */
export async function* checkHistory({ database }: DoctorDeps, signal: AbortSignal): AsyncGenerator<Finding> {
  const slices = await countSlices(database.knex);
  for (let slice = 0; slice < slices; slice++) {
    const bounds = {
      from: uuidAt(slice / slices),
      to: slice + 1 < slices ? uuidAt((slice + 1) / slices) : null,
    };
    const suspects = await inSnapshot(database, signal, async (transaction) => {
      await holdPartitions(transaction);
      return findSuspects(transaction, bounds);
    });
    for (const { uuid, kind, position, detail } of suspects) {
      const at = position === null ? "" : `position ${position}: `;
      yield { kind, credentialUuid: uuid, detail: `${at}${detail}` };
    }
  }
}

async function countSlices(db: Knex): Promise<number> {
  const retained = await queryRow<{ events: number }>(
    db,
    `select position - (select coalesce(max(position), 0) from credential_event_anchors) as events
     from credential_event_head`,
  );
  return Math.max(1, Math.ceil((retained?.events ?? 0) / EVENT_BATCH));
}

/**
 * Returns the UUID at which a range starts.
 * @param part start of the range, as a fraction of all UUIDs
 */
function uuidAt(part: number): string {
  const start = Math.floor(part * UUID_PREFIXES);
  return `${start.toString(16).padStart(4, "0")}0000-0000-0000-0000-000000000000`;
}

/**
 * SQL expressions for the values that columns had at an earlier event. Only for columns that may have changed since.
 */
const factsThen: Readonly<Record<string, string>> = {
  status: "status_after",
  invalidation_reason: "case when status_after = 'invalidated' then invalidation_reason end",
  invalidated_at: "case when status_after = 'invalidated' then invalidated_at end",
  file_sha256: "case when status_after in ('available', 'invalidated') then file_sha256 end",
};

/**
 * Finds credentials that contradict their events. Reconstructs a credential's values at each event from its row and the
 * event's status. For example, the row's invalidation reason applies only to events after the invalidation. Checks only
 * the commitments from the last `issued`, `imported`, `erased` or `renamed` on, because the row lacks the values of
 * earlier events.
 *
 * The query repeats the formula instead of calling the database's functions, because a forger may have changed those.
 */
async function findSuspects(db: Knex, { from, to }: { from: string; to: string | null }): Promise<Suspect[]> {
  return queryRows<Suspect>(
    db,
    `with head as (
       select head.position as last,
         (select coalesce(max(position), 0) from credential_event_anchors) as removed_up_to,
         -- The events of credentials that were issued up to this time may have been removed.
         coalesce(
           (select occurred_at from credential_events order by position limit 1),
           (select occurred_at from credential_event_anchors order by position desc limit 1)
         ) + interval '${MAX_TRANSACTION_TIME}' as kept_from
       from credential_event_head as head
     ),
     event as (
       select position as place, position, type, credential_uuid as uuid, configuration_id, status_before, status_after,
         occurred_at, commitment
       from credential_events
       where credential_uuid >= :from and (cast(:to as uuid) is null or credential_uuid < :to)
       union all
       select last + id, null, type, credential_uuid, configuration_id, status_before, status_after, occurred_at, commitment
       from unsealed_credential_events cross join head
       where credential_uuid >= :from and (cast(:to as uuid) is null or credential_uuid < :to)
     ),
     life as (
       select *,
         lag(status_after) over life as status_known,
         lag(place) over life is null as is_first,
         lead(place) over life is null as is_last,
         coalesce(max(place) filter (where type in ('issued', 'imported', 'erased', 'renamed')) over whole, 0) as vouched_from,
         max(place) filter (where type = 'issued') over whole as issued_at
       from event
       window whole as (partition by uuid), life as (partition by uuid order by place)
     ),
     credential as (
       select * from credentials where uuid >= :from and (cast(:to as uuid) is null or uuid < :to)
     ),
     judged as (
       select coalesce(life.uuid, credential.uuid) as uuid, life.place, life.position,
         case
           when credential.uuid is null then 'lost-credential'
           when coalesce(is_first and type not in ('issued', 'imported'), true)
             and (removed_up_to = 0 or credential.created_at > kept_from) then 'unrecorded-credential'
           when life.uuid is null then null
           when (not is_first or removed_up_to = 0) and status_before is distinct from status_known then 'impossible-event'
           when not case type
             when 'issued' then status_after = 'generating' and coalesce(status_before, 'error') = 'error'
             when 'imported' then status_after in ('available', 'invalidated') and status_before is null
             when 'available' then status_after = 'available' and status_before = 'generating'
             when 'failed' then status_after = 'error' and status_before = 'generating'
             when 'invalidated' then status_after = 'invalidated' and status_before = 'available'
             when 'reissued' then status_after = 'invalidated' and status_before = 'invalidated'
             when 'erased' then status_after = case status_before when 'generating' then 'error' else status_before end
             else status_after = status_before
           end then 'impossible-event'
           when is_last and (status_after, life.configuration_id) <> (credential.status, credential.configuration_id)
             then 'altered-credential'
           when place >= vouched_from and life.commitment is distinct from
             ${commitmentSql((column) => factsThen[column] ?? column)} then 'altered-credential'
           when case when place = issued_at then occurred_at - created_at when type = 'invalidated' then occurred_at - invalidated_at end
             not between interval '-1 second' and interval '${MAX_TRANSACTION_TIME}' then 'misdated-credential'
         end as kind,
         life.type, life.status_before, life.status_after, life.status_known, credential.status, is_last
       from life full join credential on credential.uuid = life.uuid cross join head
     )
     select distinct on (uuid) uuid, kind, position, case kind
         when 'lost-credential' then 'there is an event of it'
         when 'unrecorded-credential' then
           coalesce('its first event is "' || type || '"', 'there is no event of it')
         when 'impossible-event' then format(
           '"%s" from %s to %s, when it was %s', type, coalesce(status_before, 'nothing'), status_after,
           coalesce(status_known, 'nothing')
         )
         when 'misdated-credential' then format('"%s" happened at another time', type)
         else case when is_last and status_after <> status
           then format('it is %s, and its last event leaves it %s', status, status_after)
           else format('at "%s" it did not say what it says now', type)
         end
       end as detail
     from judged where kind is not null
     order by uuid, place`,
    { from, to },
  );
}
