import type { Logger } from "pino";
import { repeat } from "#foundation/concurrency/repeat.js";
import { type Connection, connectionsTo } from "./connection.js";
import { isReadOnly } from "./outage.js";

const POLL_MS = 2_000;
const TIMEOUTS = { statement: 5_000, lock: 5_000, idleInTransaction: 5_000, answer: 5_000 };

export interface Listener {
  close(): Promise<void>;
}

/**
 * Listens to a channel of notifications, and reconnects after outages. A notification may be lost, so `poll` is also
 * called every two seconds.
 * @param options.url of the server itself, because notifications don't arrive through a pooler that changes sessions
 * @param options.application name of the connection in `pg_stat_activity`
 * @param options.name name of the work in the log
 * @param options.poll must reject if the connection is broken
 */
export function listenTo(options: {
  url: string;
  channel: string;
  application: string;
  name: string;
  onNotification: (payload: string) => void;
  poll: (connection: Connection, isNew: boolean) => Promise<void>;
  log: Logger;
}): Listener {
  const { url, channel, application, name, onNotification, poll, log } = options;
  const connections = connectionsTo(url, application, TIMEOUTS);
  let client: Connection | undefined;

  async function look(): Promise<void> {
    if (client && !client.isFit) drop(client);
    const isNew = client === undefined;
    const listening = client ?? (await connect());
    client = listening;
    try {
      await poll(listening, isNew);
    } catch (error) {
      drop(listening);
      throw error;
    }
  }

  async function connect(): Promise<Connection> {
    const opened = new connections.Client();
    opened.on("end", () => drop(opened));
    opened.on("notification", ({ payload = "" }) => onNotification(payload));
    try {
      await opened.connect();
      await opened.query(`listen ${channel}`).catch((error) => {
        if (!isReadOnly(error)) throw error; // a standby can't listen, so only polling finds new notifications there
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

  const listening = repeat({ name, pauseMs: POLL_MS, work: look, log });
  return {
    async close() {
      await listening.stop();
      await client?.end();
    },
  };
}
