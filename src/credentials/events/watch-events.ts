import type { Database } from "../../db/database.js";
import { onLease } from "../../db/run.js";
import { Problem } from "../../errors.js";
import type { CredentialEvent } from "./credential-event.js";
import type { EventFeed } from "./event-feed.js";
import { EVENT_BATCH, readBounds, readEvents } from "./event-store.js";

/** What watching needs. */
export interface Watching {
  readonly database: Database;
  readonly feed: EventFeed;
  /** How often an empty batch comes while there are no events, in milliseconds. Default: 15 s */
  readonly signOfLifeMs?: number;
}

/**
 * The events after a position, batch after batch, and those to come, until the signal aborts. A batch is empty when there
 * is nothing new. Between batches no connection is held, however long the reader takes.
 * @throws Problem `out-of-range` when events after the position were removed, or when there is no such position yet
 */
export async function* watchEvents(
  { database, feed, signOfLifeMs = 15_000 }: Watching,
  afterPosition: number,
  signal: AbortSignal,
): AsyncGenerator<CredentialEvent[]> {
  for (let cursor = afterPosition; ; ) {
    const events = await readWithoutGap(database, cursor, signal);
    yield events;
    cursor += events.length;
    if (events.length < EVENT_BATCH) await feed.after(cursor, signOfLifeMs, signal);
  }
}

function readWithoutGap(database: Database, cursor: number, signal: AbortSignal): Promise<CredentialEvent[]> {
  return onLease(database, signal, async (lease) => {
    const events = await readEvents(lease, cursor);
    if (hasNoGap(events, cursor)) return events;
    const bounds = await readBounds(lease);
    if (cursor < bounds.removedUpTo) {
      throw new Problem(
        "out-of-range",
        `after_position is ${cursor}, and the events up to ${bounds.removedUpTo} were removed: they were older than the ` +
          `service keeps them. Go on after ${bounds.removedUpTo}, and look at the credentials themselves for what was missed.`,
      );
    }
    if (cursor > bounds.last) {
      throw new Problem(
        "out-of-range",
        `after_position is ${cursor}, and the last event has position ${bounds.last}: the position is of another ` +
          "database, or of a state that this one was put back from.",
      );
    }
    if (cursor === bounds.last) return [];
    const sealedSince = await readEvents(lease, cursor);
    if (hasNoGap(sealedSince, cursor)) return sealedSince;
    throw new Error(`the events after position ${cursor} have a gap: run doctor`);
  });
}

function hasNoGap(events: readonly CredentialEvent[], cursor: number): boolean {
  return events.length > 0 && events.at(-1)?.position === cursor + events.length;
}
