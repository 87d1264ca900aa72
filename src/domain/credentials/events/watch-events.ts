import { Problem } from "#foundation/errors.js";
import type { Database } from "#infrastructure/db/database.js";
import { withConnection } from "#infrastructure/db/query.js";
import type { Organisations } from "../../learners/organisations.js";
import type { CredentialEvent } from "./credential-event.js";
import type { EventFeed } from "./event-feed.js";
import { EVENT_BATCH, findConfigurationsWithin, readBounds, readEvents, readHash } from "./event-store.js";

export interface WatchingDeps {
  readonly database: Database;
  readonly feed: EventFeed;
  /** Milliseconds without events after which an empty batch is sent. Default: 15 s */
  readonly signOfLifeMs?: number;
}

/** A watcher's position in the chain. */
export interface Cursor {
  /** Position of the last event that the watcher has seen; 0 if it has seen none. */
  readonly position: number;
  /** Hash of the event at `position`. If empty, the watcher can't detect that earlier events were replaced. */
  readonly hash: string;
}

/**
 * Yields batches of events after a cursor, until the signal aborts. A batch is empty if these organisations have no new
 * events. No database connection is in use between batches, however slow the consumer is.
 *
 * Before each batch, checks that the event at the cursor is unchanged, because a failover or a restored backup may have
 * put another event at its position.
 * @throws Problem `out-of-range` if events after the cursor were removed, or the event at the cursor no longer exists
 */
export async function* watchEvents(
  { database, feed, signOfLifeMs = 15_000 }: WatchingDeps,
  from: Cursor,
  signal: AbortSignal,
  organisations?: Organisations,
): AsyncGenerator<CredentialEvent[]> {
  for (let cursor = from; ; ) {
    const { hash, events } = await readWithoutGap(database, cursor, signal);
    yield await within(database, organisations, events, signal);
    cursor = events.at(-1) ?? { ...cursor, hash };
    if (events.length < EVENT_BATCH) await feed.after(cursor.position, signOfLifeMs, signal);
  }
}

/** Leaves out the events of other organisations, which were read only to check the chain. */
async function within(
  database: Database,
  organisations: Organisations,
  events: CredentialEvent[],
  signal: AbortSignal,
): Promise<CredentialEvent[]> {
  if (organisations === undefined || events.length === 0) return events;
  const ids = [...new Set(events.map(({ configurationId }) => configurationId))];
  const own = await withConnection(database, signal, (connection) =>
    findConfigurationsWithin(connection, ids, organisations),
  );
  return events.filter(({ configurationId }) => own.has(configurationId));
}

/** Returns the next events, and the hash at the cursor. */
function readWithoutGap(
  database: Database,
  { position, hash: expected }: Cursor,
  signal: AbortSignal,
): Promise<{ hash: string; events: CredentialEvent[] }> {
  return withConnection(database, signal, async (connection) => {
    const hash = await readHash(connection, position);
    if (expected !== "" && hash !== "" && hash !== expected) {
      throw new Problem(
        "out-of-range",
        `after_position is ${position}, but the event there has a different hash from yours: events were lost, for example ` +
          "in a failover or when a backup was restored. Continue after an earlier event whose hash you know, or from 0, and " +
          "read the credentials themselves.",
      );
    }
    const events = await readEvents(connection, position);
    if (hasNoGap(events, position)) return { hash, events };
    const bounds = await readBounds(connection);
    if (position < bounds.removedUpTo) {
      throw new Problem(
        "out-of-range",
        `after_position is ${position}, but the events up to ${bounds.removedUpTo} were removed because of their age. ` +
          `Continue after ${bounds.removedUpTo}, and read the credentials themselves to see what was missed.`,
      );
    }
    if (position > bounds.last) {
      throw new Problem(
        "out-of-range",
        `after_position is ${position}, but the last event has position ${bounds.last}: the position is from another ` +
          "database, or from before a backup was restored.",
      );
    }
    if (position === bounds.last) return { hash, events: [] };
    const sealedSince = await readEvents(connection, position);
    if (hasNoGap(sealedSince, position)) return { hash, events: sealedSince };
    throw new Error(`the events after position ${position} have a gap: run \`doctor\``);
  });
}

function hasNoGap(events: readonly CredentialEvent[], cursor: number): boolean {
  return events.length > 0 && events.at(-1)?.position === cursor + events.length;
}
