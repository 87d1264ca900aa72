import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/** Has the clients of a server go elsewhere without the loss of a call. */
export interface Goaway {
  /** Resolves when they know, and what they had sent before has come in. */
  announce(sessions: Iterable<ServerHttp2Session>): Promise<void>;
}

/**
 * GOAWAY that names the highest stream there can be, and so refuses nothing yet (RFC 9113, 6.8). Node has none: from its
 * own on, it ignores the calls that are on their way, and their clients see them refused.
 */
const NOTICE = Buffer.of(0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** Who has not answered a ping by then has lost its connection, or is too slow to wait for. */
const PATIENCE_MS = 2_000;

/**
 * Without TLS only: there, nothing can be written beside what Node writes, and calls on their way are refused. Clients may
 * repeat what was refused so, as it was never begun, and those of gRPC do by themselves.
 */
export function createGoaway(server: Http2Server): Goaway {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    async announce(sessions) {
      for (const socket of sockets) {
        // Node writes whole frames, so that this comes between two. The first of all must be its settings.
        if (socket.bytesWritten > 0 && socket.writable) socket.write(NOTICE);
      }
      await Promise.all([...sessions].map(roundTrip));
    },
  };
}

/** Resolves when the other side has seen what was sent so far, or is gone. */
function roundTrip(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(resolve, PATIENCE_MS);
    const done = () => {
      clearTimeout(giveUp);
      resolve();
    };
    // A session that was destroyed has yet to close: until then, grpc-js would wait for it without end.
    const answered = () => (session.destroyed ? session.once("close", done) : done());
    if (session.destroyed || !session.ping(answered)) answered();
  });
}
