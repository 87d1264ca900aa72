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
  readonly connections: Set<Connection>;
  idleCount: number;
}

/** A connection of a client. */
interface Slot<Connection> {
  readonly held: Held<Connection>;
  /** Larger if it has been idle for less long; undefined while it is busy. */
  idleSince: number | undefined;
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
  const clients = new Map<string, Held<Connection>>();
  const slots = new Map<Connection, Slot<Connection>>();
  let turn = 0;

  function hasRoom({ connections: { size } }: Held<Connection>): boolean {
    if (slots.size >= most) return false;
    return size === 0 || (size + 1) * (1 - share) <= (most - slots.size - 1) * share;
  }

  function mostIdle(): Held<Connection> | undefined {
    let found: Held<Connection> | undefined;
    for (const held of clients.values()) if (held.idleCount > (found?.idleCount ?? 0)) found = held;
    return found;
  }

  /** Returns the one that has been idle for longest. */
  function oldestOf(held: Held<Connection> | undefined): Connection | undefined {
    let oldest: Connection | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const connection of held?.connections ?? []) {
      const { idleSince = Number.POSITIVE_INFINITY } = slots.get(connection) ?? {};
      if (idleSince < since) [oldest, since] = [connection, idleSince];
    }
    return oldest;
  }

  function add(connection: Connection, held: Held<Connection>): void {
    held.connections.add(connection);
    clients.set(held.client, held);
    slots.set(connection, { held, idleSince: undefined });
    setIdle(connection);
  }

  function remove(connection: Connection): void {
    const held = slots.get(connection)?.held;
    if (!held) return;
    setBusy(connection);
    held.connections.delete(connection);
    if (held.connections.size === 0) clients.delete(held.client);
    slots.delete(connection);
  }

  function setIdle(connection: Connection): void {
    const slot = slots.get(connection);
    if (!slot || slot.idleSince !== undefined) return;
    slot.idleSince = turn++;
    slot.held.idleCount++;
  }

  function setBusy(connection: Connection): void {
    const slot = slots.get(connection);
    if (slot?.idleSince === undefined) return;
    slot.idleSince = undefined;
    slot.held.idleCount--;
  }

  return {
    has: (connection) => slots.get(connection)?.idleSince !== undefined,
    open(connection, client) {
      const held = clients.get(client) ?? { client, connections: new Set(), idleCount: 0 };
      if (!hasRoom(held)) {
        const oldest = oldestOf(held.connections.size > 0 ? held : mostIdle());
        if (!oldest) return connection.destroy();
        remove(oldest);
        oldest.destroy();
      }
      add(connection, held);
      connection.once("close", () => remove(connection));
    },
    busy: setBusy,
    idle(connection) {
      if (!connection.destroyed) setIdle(connection);
    },
  };
}
