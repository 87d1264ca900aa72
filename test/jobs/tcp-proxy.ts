import type { AddressInfo } from "node:net";
import { createServer, connect as dial, type Server, type Socket } from "node:net";

/** A way to the database that can be cut, or fall silent. */
export interface TcpProxy {
  readonly url: string;
  /** How many connections are open. */
  open(): number;
  /** Carries nothing more on the connections that are open, and ends none of them; new ones work. */
  freeze(): void;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  mend(): Promise<void>;
  /** New connections lead to the Postgres at this URL; those that are open stay. */
  leadTo(url: string): void;
}

/** Opens a way to the Postgres at `url`. */
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

/** Has two connections end with each other; while they are open, they are among these. */
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
