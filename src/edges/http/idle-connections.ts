/** A client's connection: a socket or an HTTP/2 session. */
interface Closable {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
  destroy(): void;
}

/**
 * A server's connections without a running request. A connection whose request is still arriving counts as
 * idle.
 */
export interface IdleConnections<Connection> {
  has(connection: Connection): boolean;
  /**
   * Adds a new connection. At the limit it replaces the connection that its client has left idle for longest.
   * If the client has none, it replaces one of the client with the most idle connections. If nobody has one,
   * it is closed.
   */
  open(connection: Connection, client: string): void;
  /** The connection has a request. */
  busy(connection: Connection): void;
  /** The connection's requests were answered. */
  idle(connection: Connection): void;
}

/** What one client has open. */
interface Held<Connection> {
  readonly client: string;
  count: number;
  /** Ordered by how long they have been idle. */
  readonly idle: Set<Connection>;
}

/**
 * Keeps clients from shutting out others by opening connections.
 * @param share fraction of the whole that a client can use while nobody else uses any. Beside others, it is
 *   the same fraction of what they leave free, as in `semaphore.ts`
 */
export function createIdleConnections<Connection extends Closable>(
  most: number,
  share: number,
): IdleConnections<Connection> {
  let count = 0;
  const clients = new Map<string, Held<Connection>>();
  const heldBy = new Map<Connection, Held<Connection>>();

  function hasRoom(held: Held<Connection>): boolean {
    if (count >= most) return false;
    return held.count === 0 || (held.count + 1) * (1 - share) <= (most - count - 1) * share;
  }

  function mostIdle(): Held<Connection> | undefined {
    let found: Held<Connection> | undefined;
    for (const held of clients.values()) if (held.idle.size > (found?.idle.size ?? 0)) found = held;
    return found;
  }

  function add(connection: Connection, held: Held<Connection>): void {
    count++;
    held.count++;
    held.idle.add(connection);
    clients.set(held.client, held);
    heldBy.set(connection, held);
  }

  function remove(connection: Connection): void {
    const held = heldBy.get(connection);
    if (!held) return;
    count--;
    held.count--;
    held.idle.delete(connection);
    if (held.count === 0) clients.delete(held.client);
    heldBy.delete(connection);
  }

  return {
    has: (connection) => heldBy.get(connection)?.idle.has(connection) ?? false,
    open(connection, client) {
      const held = clients.get(client) ?? { client, count: 0, idle: new Set() };
      if (!hasRoom(held)) {
        const givesWay = held.count > 0 ? held : mostIdle();
        const [oldest] = givesWay?.idle ?? [];
        if (!oldest) return connection.destroy();
        remove(oldest);
        oldest.destroy();
      }
      add(connection, held);
      connection.once("close", () => remove(connection));
    },
    busy: (connection) => void heldBy.get(connection)?.idle.delete(connection),
    idle(connection) {
      if (!connection.destroyed) heldBy.get(connection)?.idle.add(connection);
    },
  };
}
