/** A client's connection: a socket or an HTTP/2 session. */
interface Closable {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
  destroy(): void;
}

/** A server's connections that have no running request. A connection whose request is still arriving is idle. */
export interface IdleConnections<Connection> {
  has(connection: Connection): boolean;
  /**
   * Adds a new connection. At the limit it replaces the longest idle connection of the same client. If that client has
   * no idle connection, it replaces one of the client with the most idle connections. If no client has one, the new
   * connection is closed.
   */
  open(connection: Connection, client: string): void;
  /** Marks the connection as having a running request. */
  busy(connection: Connection): void;
  /** Marks the connection as idle after its requests were answered. */
  idle(connection: Connection): void;
}

/** The open connections of one client. */
interface Held<Connection> {
  readonly client: string;
  readonly connections: Set<Connection>;
  idleCount: number;
}

/** A connection of a client. */
interface Slot<Connection> {
  readonly held: Held<Connection>;
  /**
   * Increases with each connection that becomes idle, so the lowest has been idle for longest; undefined while the
   * connection is busy.
   */
  idleSince: number | undefined;
}

/**
 * Prevents clients from shutting out others by opening connections.
 * @param share fraction of the total that a client can use while nobody else uses any; otherwise, the same fraction of
 * what the others leave free, as in `semaphore.ts`
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

  /** Returns the connection that has been idle for longest. */
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
