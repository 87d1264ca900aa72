import type { Logger } from "pino";
import type { Connection } from "#infrastructure/db/connection.js";
import { type Listener, listenTo } from "#infrastructure/db/listener.js";

/** Notifies watchers of new events. All watchers of a process share one database connection. */
export interface EventFeed {
  /** Resolves when there are events after this position, or after `ms` milliseconds. Rejects when the signal aborts. */
  after(position: number, ms: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects when `after` is first called, and reconnects after outages. During an outage, watchers
 * are only woken by their time limit.
 */
export function createEventFeed(databaseUrl: string, log: Logger): EventFeed {
  let last = 0;
  const wakers = new Set<() => void>();
  let listener: Listener | undefined;

  function reach(position: number): void {
    last = position;
    for (const wake of wakers) wake();
  }

  async function poll(connection: Connection, isNew: boolean): Promise<void> {
    const { rows } = await connection.query("select position::int8::text from credential_event_head");
    const position = Number(rows[0]?.position ?? 0);
    // A restored database may have fewer events than the last known position. A restore closes all connections, so the
    // first position on a new connection always replaces the last known one, even with a lower number.
    if (isNew || position > last) reach(position);
  }

  function onNotification(payload: string): void {
    const position = Number(payload);
    if (position > last) reach(position);
  }

  return {
    after(position, ms, signal) {
      listener ??= listenTo({
        url: databaseUrl,
        channel: "credential_events",
        application: "learning-credentials events",
        name: "listening for events",
        onNotification,
        poll,
        log,
      });
      return new Promise((resolve, reject) => {
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          wakers.delete(wake);
          signal.removeEventListener("abort", onAbort);
          finish();
        };
        const onAbort = () => settle(() => reject(signal.reason));
        const wake = () => {
          if (last > position) settle(resolve);
        };
        const timer = setTimeout(() => settle(resolve), ms);
        wakers.add(wake);
        signal.addEventListener("abort", onAbort);
        if (signal.aborted) onAbort();
        else wake();
      });
    },

    async close() {
      await listener?.close();
    },
  };
}
