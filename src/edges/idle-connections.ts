import type { Socket } from "node:net";

/** The connections of a server that have no request under way; a request that is still arriving counts as none. */
export interface IdleConnections {
  has(socket: Socket): boolean;
  /** A connection was opened. One too many ends the one that has been idle for longest, or itself when none is. */
  open(socket: Socket): void;
  /** It has a request. */
  busy(socket: Socket): void;
  /** Its request was answered. */
  idle(socket: Socket): void;
}

/** So nobody keeps others out by opening connections that he does nothing with. */
export function createIdleConnections(most: number): IdleConnections {
  let count = 0;
  /** By how long they have been idle. */
  const sockets = new Set<Socket>();

  return {
    has: (socket) => sockets.has(socket),
    open(socket) {
      count++;
      sockets.add(socket);
      socket.once("close", () => {
        count--;
        sockets.delete(socket);
      });
      if (count <= most) return;
      const [oldest] = sockets;
      oldest?.destroy();
    },
    busy: (socket) => void sockets.delete(socket),
    idle(socket) {
      if (!socket.destroyed) sockets.add(socket);
    },
  };
}
