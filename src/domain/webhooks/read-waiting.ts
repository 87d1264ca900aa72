import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import type { CredentialEvent } from "../credentials/events/credential-event.js";
import { EVENT_BATCH, readBounds, readEventsOfTypes } from "../credentials/events/event-store.js";
import type { WebhookEndpoint } from "./webhook-endpoint.js";

/** Maximum number of events per query. */
const LIMIT = 500;

/** The next events for an endpoint. */
export interface WaitingEvents {
  readonly events: readonly CredentialEvent[];
  /** Position up to which there are no further events for this endpoint. */
  readonly readUpTo: number;
  /** Whether `readUpTo` is the last position of all. */
  readonly isAll: boolean;
  /** Retention has removed the events up to this position. */
  readonly removedUpTo: number;
}

/** Reads the next events after a position, of the types that the endpoint receives. */
export function readWaiting(
  database: Database,
  { eventTypes }: Pick<WebhookEndpoint, "eventTypes">,
  after: number,
  signal: AbortSignal,
): Promise<WaitingEvents> {
  return inSnapshot(database, signal, async (transaction) => {
    const { removedUpTo, last } = await readBounds(transaction);
    const events = await readEventsOfTypes(transaction, after, eventTypes, LIMIT);
    const readUpTo =
      events.length === LIMIT
        ? (events.at(-1)?.position ?? after)
        : Math.max(after, Math.min(after + EVENT_BATCH, last));
    return { events, readUpTo, isAll: readUpTo >= last, removedUpTo };
  });
}
