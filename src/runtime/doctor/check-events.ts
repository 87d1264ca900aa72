import { verifyEventChain } from "#domain/credentials/events/verify-event-chain.js";
import { type Knex, queryRow, queryRows, queryValue, queryValues } from "#infrastructure/db/query.js";
import type { DiagnosisStats, DoctorDeps, EventMark } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

/** Age from which unsealed events are reported. The sealer runs every half second. */
const MAX_UNSEALED_AGE = "5 minutes";

/** Checks that the event chain is intact and complete, and that it contains the events in `expected`. */
export async function* checkEvents(
  { database, eventRetentionDays }: DoctorDeps,
  stats: DiagnosisStats,
  expected: readonly EventMark[],
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { knex } = database;
  const { broken } = await verifyEventChain(database, signal);
  if (broken) yield { kind: "broken-event-chain", detail: `position ${broken.position}: ${broken.reason}` };
  const last = await readLastEvent(knex);
  if (last) stats.lastEvent = last;

  yield* compareExpected(knex, expected, last?.position ?? 0);
  yield* checkRemovals(knex, eventRetentionDays, expected);
  yield* checkActors(knex);

  const count = await queryValue<number>(
    knex,
    `select count(*) as count from unsealed_credential_events where occurred_at < now() - interval '${MAX_UNSEALED_AGE}'`,
  );
  if (count > 0) yield { kind: "unsealed-events", detail: `${count} are older than ${MAX_UNSEALED_AGE}` };
}

async function readLastEvent(db: Knex): Promise<EventMark | undefined> {
  return queryRow<EventMark>(
    db,
    "select position, encode(hash, 'hex') as hash from credential_event_head where position > 0",
  );
}

async function* compareExpected(
  db: Knex,
  expected: readonly EventMark[],
  last: number,
): AsyncGenerator<Finding> {
  for (const { position, hash } of expected) {
    const storedEvent = await queryRow<{ hash: string }>(
      db,
      `select encode(hash, 'hex') as hash from credential_events where position = :position
       union all select encode(hash, 'hex') from credential_event_anchors where position = :position limit 1`,
      { position },
    );
    const found = storedEvent?.hash;
    if (found === hash) continue;
    const what =
      found !== undefined
        ? `its hash is ${found}`
        : position > last
          ? `the last event has position ${last}`
          : "it was removed, and its hash was not stored: check a later position instead";
    yield { kind: "other-history", detail: `position ${position}: ${what}` };
  }
}

/**
 * Finds events that were removed although the retention period still covered them. Reports only the last such removal.
 */
async function* checkRemovals(
  db: Knex,
  days: number,
  expected: readonly EventMark[],
): AsyncGenerator<Finding> {
  const rows = await queryRows<EventMark & { removedAt: Date; age: string }>(
    db,
    `select position, encode(hash, 'hex') as hash, removed_at as "removedAt",
       extract(epoch from removed_at - occurred_at) / 86400 as age
     from credential_event_anchors
     where :days = 0 or removed_at < occurred_at + make_interval(days => :days)
     order by position desc limit 1`,
    { days },
  );
  for (const { position, hash, removedAt, age } of rows) {
    const isNoted = expected.some((mark) => mark.position === position && mark.hash === hash);
    if (isNoted) continue;
    const when =
      days === 0
        ? "although events are kept permanently"
        : `when the newest of them was ${Math.floor(Number(age))} days old`;
    yield {
      kind: "removed-events",
      detail: `events up to ${position}:${hash} were removed at ${removedAt.toISOString()}, ${when}`,
    };
  }
}

/**
 * Checks that the usernames of events match their commitments, with the same formula as
 * `credential-event-actor-commitment.ts`. Usernames that were erased can't be checked.
 */
async function* checkActors(db: Knex): AsyncGenerator<Finding> {
  const ids = await queryValues<number>(
    db,
    `select id from credential_event_actors
     where case
       when seed is null then name !~ '^erased-[0-9a-f]{32}$'
       else commitment <> sha256(
         convert_to(E'learning-credentials actor v1\\n', 'UTF8') || seed
         || convert_to(coalesce(kind, '') || E'\\n' || name, 'UTF8')
       )
     end
     order by id`,
  );
  for (const id of ids) yield { kind: "renamed-actor", detail: `actor ${id}` };
}
