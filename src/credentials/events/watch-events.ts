import type { Database } from "../../db/database.js";
import { onLease } from "../../db/query.js";
import { Problem } from "../../errors.js";
import type { CredentialEvent } from "./credential-event.js";
import type { EventFeed } from "./event-feed.js";
import { EVENT_BATCH, readBounds, readEvents, readHash } from "./event-store.js";

/** What watching needs. */
export interface Watching {
  readonly database: Database;
  readonly feed: EventFeed;
  /** How often an empty batch comes while there are no events, in milliseconds. Default: 15 s */
  readonly signOfLifeMs?: number;
}

/** How far a watcher has come. */
export interface Cursor {
  /** Of the last event that it knows; 0: none. */
  readonly position: number;
  /** Of that event. Empty: it can't tell whether the events before are still those that it knows. */
  readonly hash: string;
}

/**
 * The events after a cursor, batch after batch, and those to come, until the signal aborts. A batch is empty when there
 * is nothing new. Between batches no connection is held, however long the reader takes.
 *
 * Before each batch, the last event must be the one that the watcher knows: after a failover that lost events, or from a
 * backup, others may have come to their positions.
 * @throws Problem `out-of-range` when events after the cursor were removed, or when there is no such event
 */
export async function* watchEvents(
  { database, feed, signOfLifeMs = 15_000 }: Watching,
  from: Cursor,
  signal: AbortSignal,
): AsyncGenerator<CredentialEvent[]> {
  for (let cursor = from; ; ) {
    const { hash, events } = await readWithoutGap(database, cursor, signal);
    yield events;
    cursor = events.at(-1) ?? { ...cursor, hash };
    if (events.length < EVENT_BATCH) await feed.after(cursor.position, signOfLifeMs, signal);
  }
}

/** @returns the hash at the cursor, too */
function readWithoutGap(
  database: Database,
  { position, hash: known }: Cursor,
  signal: AbortSignal,
): Promise<{ hash: string; events: CredentialEvent[] }> {
  return onLease(database, signal, async (lease) => {
    const hash = await readHash(lease, position);
    if (known !== "" && hash !== "" && hash !== known) {
      throw new Problem(
        "out-of-range",
        `after_position is ${position}, and another event is there than the one with your hash: events were lost since, as ` +
          "in a failover or when a backup was put back. Go on after an earlier event whose hash you know, or from 0, and " +
          "look at the credentials themselves.",
      );
    }
    const events = await readEvents(lease, position);
    if (hasNoGap(events, position)) return { hash, events };
    const bounds = await readBounds(lease);
    if (position < bounds.removedUpTo) {
      throw new Problem(
        "out-of-range",
        `after_position is ${position}, and the events up to ${bounds.removedUpTo} were removed: they were older than the ` +
          `service keeps them. Go on after ${bounds.removedUpTo}, and look at the credentials themselves for what was missed.`,
      );
    }
    if (position > bounds.last) {
      throw new Problem(
        "out-of-range",
        `after_position is ${position}, and the last event has position ${bounds.last}: the position is of another ` +
          "database, or of a state that this one was put back from.",
      );
    }
    if (position === bounds.last) return { hash, events: [] };
    const sealedSince = await readEvents(lease, position);
    if (hasNoGap(sealedSince, position)) return { hash, events: sealedSince };
    throw new Error(`the events after position ${position} have a gap: run doctor`);
  });
}

function hasNoGap(events: readonly CredentialEvent[], cursor: number): boolean {
  return events.length > 0 && events.at(-1)?.position === cursor + events.length;
}
