/** A socket or an HTTP/2 session. */
interface Closable {
  readonly destroyed: boolean;
  once(event: "close", listener: () => void): unknown;
  destroy(): void;
}

/** The connections of a server. A connection is idle if it has no running request, even if a request is arriving. */
export interface IdleConnections<Connection> {
  has(connection: Connection): boolean;
  /**
   * Adds a new connection. If all connections or the client's share of them are in use, the new one replaces an idle
   * connection: the longest idle one of the same client or, if the client has no connection yet, of the client with the
   * most idle connections. If there is no such idle connection, the new connection is closed.
   */
  open(connection: Connection, client: string): void;
  busy(connection: Connection): void;
  idle(connection: Connection): void;
}

interface ClientConnections<Connection> {
  readonly client: string;
  readonly connections: Set<Connection>;
  idleCount: number;
}

interface Slot<Connection> {
  readonly held: ClientConnections<Connection>;
  /**
   * Sequence number of becoming idle. The connection with the lowest number has been idle longest.
   * undefined while busy.
   */
  idleSince: number | undefined;
}

/**
 * Limits connections, so that no client can shut out others by opening many of them.
 * @param share maximum fraction of `most` that a client can use while it is alone; otherwise, maximum fraction of what
 * other clients leave free
 */
export function createIdleConnections<Connection extends Closable>(
  most: number,
  share: number,
): IdleConnections<Connection> {
  const clients = new Map<string, ClientConnections<Connection>>();
  const slots = new Map<Connection, Slot<Connection>>();
  let turn = 0;

  function hasRoom({ connections: { size } }: ClientConnections<Connection>): boolean {
    if (slots.size >= most) return false;
    return size === 0 || (size + 1) * (1 - share) <= (most - slots.size - 1) * share;
  }

  function mostIdle(): ClientConnections<Connection> | undefined {
    let found: ClientConnections<Connection> | undefined;
    for (const held of clients.values()) if (held.idleCount > (found?.idleCount ?? 0)) found = held;
    return found;
  }

  function oldestOf(held: ClientConnections<Connection> | undefined): Connection | undefined {
    let oldest: Connection | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const connection of held?.connections ?? []) {
      const { idleSince = Number.POSITIVE_INFINITY } = slots.get(connection) ?? {};
      if (idleSince < since) [oldest, since] = [connection, idleSince];
    }
    return oldest;
  }

  function add(connection: Connection, held: ClientConnections<Connection>): void {
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
