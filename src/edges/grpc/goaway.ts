import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/** Makes the clients of a server reconnect elsewhere without losing a call. */
export interface Goaway {
  /** Resolves when the clients have received the notice and everything they sent before has arrived. */
  announce(sessions: Iterable<ServerHttp2Session>): Promise<void>;
}

/**
 * A GOAWAY frame with the highest possible stream id, which refuses nothing yet (RFC 9113, 6.8). Node can't send one:
 * after its own GOAWAY, Node ignores calls that are in transit, so their clients see them refused.
 */
const NOTICE = Buffer.of(0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** A client that hasn't answered a ping by then is gone, or too slow to wait for. */
const PATIENCE_MS = 2_000;

/**
 * Works only without TLS. With TLS, nothing can be written between Node's own frames, so calls in transit are refused.
 * Clients may safely retry such a call, since it never started; gRPC clients do so automatically.
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
        // Node writes whole frames, so this is sent between two of them. The very first frame must be Node's settings.
        if (socket.bytesWritten > 0 && socket.writable) socket.write(NOTICE);
      }
      await Promise.all([...sessions].map(roundTrip));
    },
  };
}

/** Resolves when the client has received everything sent so far, or has disconnected. */
function roundTrip(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(resolve, PATIENCE_MS);
    const done = () => {
      clearTimeout(giveUp);
      resolve();
    };
    // Waits for `close`: a destroyed session is not closed yet, and until it is, grpc-js would wait for it forever. Its
    // pings are answered when it is destroyed, which may be later than `close`.
    session.once("close", done);
    const answered = () => {
      if (!session.destroyed) done();
    };
    if (session.destroyed || !session.ping(answered)) answered();
  });
}
