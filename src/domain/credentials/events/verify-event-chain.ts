import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { type Knex, queryRow, queryRowOrThrow } from "#infrastructure/db/query.js";
import { holdPartitions } from "./event-store.js";

const BATCH = 20_000;

interface EventChain {
  readonly events: number;
  /** Position up to which retention has removed events; 0 if it has removed none. */
  readonly removedUpTo: number;
  /** Undefined if the chain is intact. */
  readonly broken: BrokenLink | undefined;
}

/** The first position at which the chain is broken. */
export interface BrokenLink {
  readonly position: number;
  /** For operators, without a full stop. */
  readonly reason: string;
}

/** An event's hash, which is an input of the next event's hash. */
interface Link {
  readonly position: number;
  readonly hash: Buffer;
}

/**
 * Recomputes the hash of every event, in Postgres, with constant memory and in one snapshot. Detects events that were
 * edited, removed, inserted or reordered, including at the end of the chain.
 *
 * This can't detect that someone has recomputed the chain from some position on, together with `credential_event_head`.
 * Only hashes that watchers have recorded reveal such a change.
 */
export function verifyEventChain(database: Database, signal: AbortSignal): Promise<EventChain> {
  return inSnapshot(database, signal, async (transaction) => {
    await holdPartitions(transaction);
    const { start, head } = await readEnds(transaction);
    const checkpoint = await leftBefore(transaction, start);
    if (checkpoint) return { events: 0, removedUpTo: start.position, broken: checkpoint };
    let last = start;
    let events = 0;
    for (;;) {
      const part = await verifyPart(transaction, last);
      events += part.events;
      const { broken } = part;
      if (broken) return { events, removedUpTo: start.position, broken };
      if (!part.last) return { events, removedUpTo: start.position, broken: compareHead(last, head) };
      last = part.last;
    }
  });
}

async function readEnds(db: Knex): Promise<{ start: Link; head: Link | undefined }> {
  const anchor = await queryRow<Link>(
    db,
    "select position, hash from credential_event_anchors order by position desc limit 1",
  );
  const head = await queryRow<Link>(db, "select position, hash from credential_event_head");
  return { start: anchor ?? { position: 0, hash: Buffer.alloc(32) }, head };
}

async function leftBefore(db: Knex, start: Link): Promise<BrokenLink | undefined> {
  const row = await queryRow<{ position: number }>(
    db,
    "select position from credential_events where position <= ? limit 1",
    [start.position],
  );
  if (!row) return undefined;
  return {
    position: row.position,
    reason: `retention has removed the events up to ${start.position}, but this one still exists`,
  };
}

/** The result for a part of the chain, with the part's last event (null if the part is empty). */
type VerifiedPart = (Link | Record<keyof Link, null>) & {
  readonly events: number;
  /** Where this part of the chain breaks, and whether the event at that position is missing. */
  readonly broken: readonly [position: number, isMissing: boolean] | null;
};

/**
 * Repeats the formula of `seal-credential-events.ts` instead of calling that function, because a forger may have
 * changed it.
 */
async function verifyPart(
  db: Knex,
  after: Link,
): Promise<{ events: number; last: Link | undefined; broken: BrokenLink | undefined }> {
  const { events, broken, position, hash } = await queryRowOrThrow<VerifiedPart>(
    db,
    `with part as (
       select event.*, actor.commitment as actor_commitment
       from credential_events as event left join credential_event_actors as actor on actor.id = actor_id
       where position > :position order by position limit ${BATCH}
     ),
     computed as (
       select position, hash,
         :position + row_number() over chain as expected,
         sha256(lag(hash, 1, :hash::bytea) over chain || convert_to(concat_ws(
           '|', position, type, credential_uuid, configuration_id, actor_id, coalesce(status_before, ''), status_after,
           to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           array_to_string(remarks, ','), coalesce(encode(commitment, 'hex'), ''), encode(actor_commitment, 'hex')
         ), 'UTF8')) as computed
       from part
       window chain as (order by position)
     )
     select
       (select count(*)::int from computed) as events,
       (select json_build_array(expected, position <> expected) from computed
        where position <> expected or hash <> computed order by position limit 1) as broken,
       (select position from computed order by position desc limit 1) as position,
       (select hash from computed order by position desc limit 1) as hash`,
    { position: after.position, hash: after.hash },
  );
  return {
    events,
    last: position === null ? undefined : { position, hash },
    broken: broken
      ? {
          position: broken[0],
          reason: broken[1] ? "the event is missing" : "the event is not the one that was sealed",
        }
      : undefined,
  };
}

function compareHead(last: Link, head: Link | undefined): BrokenLink | undefined {
  if (!head)
    return { position: last.position, reason: "credential_event_head, which names the last event, is empty" };
  if (head.position > last.position) {
    return { position: last.position + 1, reason: `the events from here to ${head.position} are missing` };
  }
  if (head.position < last.position) {
    return { position: head.position + 1, reason: "the event was added after the last one that was sealed" };
  }
  if (head.hash.equals(last.hash)) return undefined;
  return { position: last.position, reason: "the event is not the last one that was sealed" };
}
