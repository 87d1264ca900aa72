import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { endTogether } from "../../jobs/tcp-proxy.js";

/** A proxy in front of Postgres that loses responses, and can switch to another server. */
export interface AnswerLosingProxy {
  readonly url: string;
  /**
   * Loses the response to the COMMIT of the next transaction that runs this SQL. The transaction is committed, and the
   * connection ends before the client gets the response.
   * @returns a promise that resolves at that time
   */
  loseCommitAfter(sql: string): Promise<void>;
  /**
   * Ends a connection when it is about to deliver the response to this SQL.
   * @returns a promise that resolves at that time
   */
  loseAnswerTo(sql: string): Promise<void>;
  /** Directs new connections to another server, and closes the open connections. */
  leadTo(url: string): void;
  close(): void;
}

/** The response to COMMIT: a CommandComplete message, see "Message Formats" in the Postgres manual. */
const COMMITTED = "C\0\0\0\x0bCOMMIT\0";

/** Opens a proxy to the Postgres at `url`. */
export async function openAnswerLosingProxy(url: string): Promise<AnswerLosingProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let awaited: { readonly sql: string; readonly answer: string; readonly lost: () => void } | undefined;

  function join(client: Socket): void {
    const server = dial(Number(target.port), target.hostname);
    endTogether(client, server, sockets);
    let loss: typeof awaited;
    client.on("data", (bytes) => {
      if (awaited && bytes.includes(awaited.sql)) loss = awaited;
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (loss && loss === awaited && bytes.includes(loss.answer)) {
        awaited = undefined;
        loss.lost();
        client.resetAndDestroy();
        return;
      }
      client.write(bytes);
    });
  }

  const lose = (sql: string, answer: string) =>
    new Promise<void>((lost) => {
      awaited = { sql, answer, lost };
    });

  function endAll(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  const listener = createServer(join);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    loseCommitAfter: (sql) => lose(sql, COMMITTED),
    loseAnswerTo: (sql) => lose(sql, ""),
    leadTo(other) {
      target = new URL(other);
      endAll();
    },
    close() {
      listener.close();
      endAll();
    },
  };
}
