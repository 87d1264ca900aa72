import type { Logger } from "pino";
import { type Repetition, repeat } from "../../concurrency/repeat.js";
import { type Connection, connectionsTo } from "../../db/connection.js";
import { isReadOnly } from "../../db/outage.js";

/**
 * Interval for polling the last position, in case a notification was lost. A broken connection is replaced
 * then, too.
 */
const POLL_MS = 2_000;
const PATIENCE = { statement: 5_000, lock: 5_000, idleInTransaction: 5_000, answer: 5_000 };

/** Notifies watchers of new events. One connection listens for all watchers of the process. */
export interface EventFeed {
  /**
   * Resolves when there are events after this position, or after `ms` milliseconds. Rejects when the signal
   * aborts.
   */
  after(position: number, ms: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates a feed that connects for its first watcher and reconnects after outages. During an outage, watchers
 * wait for their time-out and read by themselves.
 */
export function createEventFeed(databaseUrl: string, log: Logger): EventFeed {
  const connections = connectionsTo(databaseUrl, "learning-credentials events", PATIENCE);
  let last = 0;
  const wakers = new Set<() => void>();
  let client: Connection | undefined;
  let following: Repetition | undefined;

  function reach(position: number): void {
    last = position;
    for (const wake of wakers) wake();
  }

  async function follow(): Promise<void> {
    if (client && !client.isFit) drop(client);
    const isNew = client === undefined;
    const listening = client ?? (await listen());
    client = listening;
    try {
      const { rows } = await listening.query("select position::int8::text from credential_event_head");
      const position = Number(rows[0]?.position ?? 0);
      // A database that was restored to an earlier state has fewer events than before. Restoring breaks
      // connections, so a new connection accepts any position.
      if (isNew || position > last) reach(position);
    } catch (error) {
      drop(listening);
      throw error;
    }
  }

  async function listen(): Promise<Connection> {
    const opened = new connections.Client();
    opened.on("end", () => drop(opened));
    opened.on("notification", ({ payload }) => {
      const position = Number(payload);
      if (position > last) reach(position);
    });
    try {
      await opened.connect();
      await opened.query("listen credential_events").catch((error) => {
        if (!isReadOnly(error)) throw error; // a standby can't listen: there, polling alone finds new events
      });
      return opened;
    } catch (error) {
      drop(opened);
      throw error;
    }
  }

  function drop(broken: Connection): void {
    if (client === broken) client = undefined;
    void broken.end().catch(() => {});
  }

  return {
    after(position, ms, signal) {
      following ??= repeat({ name: "listening for events", pauseMs: POLL_MS, work: follow, log });
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
      await following?.stop();
      await client?.end();
    },
  };
}
