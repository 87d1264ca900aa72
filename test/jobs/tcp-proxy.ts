import type { AddressInfo } from "node:net";
import { createServer, connect as dial, type Server, type Socket } from "node:net";

/** A proxy in front of the database that can cut connections or fall silent. */
export interface TcpProxy {
  readonly url: string;
  /** The number of open connections. */
  open(): number;
  /** Stops forwarding on the open connections without closing them. New connections work. */
  freeze(): void;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  mend(): Promise<void>;
  /** Forwards new connections to the Postgres at this URL. Open connections stay. */
  leadTo(url: string): void;
}

/** Opens a proxy in front of the Postgres at `url`. */
export async function openProxy(url: string): Promise<TcpProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server | undefined;

  function join(from: Socket): void {
    const to = dial(Number(target.port), target.hostname);
    endTogether(from, to, sockets);
    from.pipe(to).pipe(from);
  }

  async function mend(): Promise<void> {
    const opened = createServer(join);
    await new Promise<void>((resolve) => opened.listen(port, "127.0.0.1", resolve));
    port = (opened.address() as AddressInfo).port;
    server = opened;
  }

  await mend();
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${port}`;
  return {
    url: proxied.href,
    open: () => sockets.size / 2,
    freeze() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    cut() {
      server?.close();
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend,
    leadTo(other) {
      target = new URL(other);
    },
  };
}

/** Closes each of two connections when the other one closes. The set contains the connections while they are open. */
export function endTogether(one: Socket, other: Socket, open: Set<Socket>): void {
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      peer.destroy();
    });
  }
}
