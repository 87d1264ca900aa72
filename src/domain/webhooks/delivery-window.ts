/** Fields of an event that determine its order. */
export interface Ordered {
  readonly position: number;
  readonly credentialUuid: string;
}

/** Decides which events may be sent now, and tracks the position up to which all events were delivered. */
export interface DeliveryWindow<E extends Ordered> {
  /**
   * Adds the next events.
   * @param readUpTo position up to which the log contains no other events to deliver
   * @param isDelivered whether an event was delivered earlier
   */
  add(events: readonly E[], readUpTo: number, isDelivered: (event: E) => boolean): void;
  /**
   * Returns events for one request, at most `max`. Returns `undefined` if none may be sent now.
   * @param fitting returns how many events fit into one request, at least 1. Default: all
   */
  take(max: number, fitting?: (events: readonly E[]) => number): readonly [E, ...E[]] | undefined;
  /** Records the result for events from `take`. If an event has failed, later events of the same credential wait. */
  settle(events: readonly E[], isDelivered: boolean): void;
  /** Position up to which all events were delivered. */
  readonly deliveredUpTo: number;
  readonly readUpTo: number;
  /** Number of events from the first undelivered event to the last one, including delivered events in between. */
  readonly span: number;
}

interface Entry<E> {
  readonly event: E;
  state: "waiting" | "sent" | "failed" | "delivered";
}

/**
 * Creates a window over the events after a position. Events of a credential are sent in order, and never while an
 * earlier one is in another request or has failed; events of different credentials may overtake one another. Only the
 * first `size` events, counted from the first undelivered one, are sent (or `max`, if the `max` of `take` is larger).
 */
export function createDeliveryWindow<E extends Ordered>(after: number, size: number): DeliveryWindow<E> {
  let entries: Entry<E>[] = [];
  let start = 0;
  let readUpTo = after;
  let deliveredUpTo = after;

  /** Moves the start of the window to the first undelivered event. */
  function advance(): void {
    for (let first = entries[start]; first?.state === "delivered"; first = entries[start]) {
      deliveredUpTo = first.event.position;
      start++;
    }
    if (start === entries.length) deliveredUpTo = readUpTo;
    if (start < 1_000 && start < entries.length) return;
    entries = entries.slice(start);
    start = 0;
  }

  return {
    add(events, upTo, isDelivered) {
      for (const event of events)
        entries.push({ event, state: isDelivered(event) ? "delivered" : "waiting" });
      readUpTo = upTo;
      advance();
    },

    take(max, fitting) {
      const taken: Entry<E>[] = [];
      const blocked = new Set<string>();
      const end = Math.min(entries.length, start + Math.max(size, max));
      for (let at = start; at < end && taken.length < max; at++) {
        const entry = entries[at] as Entry<E>;
        const { credentialUuid } = entry.event;
        if (entry.state === "waiting" && !blocked.has(credentialUuid)) taken.push(entry);
        else if (entry.state !== "delivered") blocked.add(credentialUuid);
      }
      const [first, ...rest] = taken.map(({ event }) => event);
      if (!first) return undefined;
      const events = [first, ...rest.slice(0, fitting ? fitting([first, ...rest]) - 1 : undefined)] as const;
      for (const entry of taken.slice(0, events.length)) entry.state = "sent";
      return events;
    },

    settle(events, isDelivered) {
      const positions = new Set(events.map(({ position }) => position));
      for (let at = start; at < entries.length && positions.size > 0; at++) {
        const entry = entries[at] as Entry<E>;
        if (positions.delete(entry.event.position)) entry.state = isDelivered ? "delivered" : "failed";
      }
      advance();
    },

    get deliveredUpTo() {
      return deliveredUpTo;
    },
    get readUpTo() {
      return readUpTo;
    },
    get span() {
      return entries.length - start;
    },
  };
}
