import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { CredentialEvent } from "../credentials/events/credential-event.js";
import { EVENT_BATCH, readBounds, readEventsOfTypes } from "../credentials/events/event-store.js";
import type { WebhookEndpoint } from "./webhook-endpoint.js";

/** Maximum number of events per query. */
const LIMIT = 500;

interface WaitingEvents {
  readonly events: readonly CredentialEvent[];
  /**
   * Position up to which the log was read. `events` contains all events up to this position that the endpoint receives.
   */
  readonly readUpTo: number;
  /** Whether `readUpTo` is the last position in the log. */
  readonly isAll: boolean;
  /** Position up to which retention has removed events. */
  readonly removedUpTo: number;
}

/** Reads events of the types that the endpoint receives. */
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
