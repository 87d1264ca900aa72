import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/** Sends the clients of a server elsewhere without losing a call. */
export interface Goaway {
  /** Resolves when the clients know, and everything they sent before has arrived. */
  announce(sessions: Iterable<ServerHttp2Session>): Promise<void>;
}

/**
 * A GOAWAY frame with the highest possible stream id, which refuses nothing yet (RFC 9113, 6.8). Node can't
 * send one: after its own GOAWAY, Node ignores calls that are on their way, and their clients see them
 * refused.
 */
const NOTICE = Buffer.of(0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** A client that has not answered a ping by then is gone, or too slow to wait for. */
const PATIENCE_MS = 2_000;

/**
 * Works without TLS only. With TLS nothing can be written beside Node's own frames, so calls on their way are
 * refused. Clients may repeat a call refused like this, since it never started; gRPC clients do so
 * automatically.
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
        // Node writes whole frames, so this lands between two. The very first frame must be Node's settings.
        if (socket.bytesWritten > 0 && socket.writable) socket.write(NOTICE);
      }
      await Promise.all([...sessions].map(roundTrip));
    },
  };
}

/** Resolves when the client has seen everything sent so far, or is gone. */
function roundTrip(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(resolve, PATIENCE_MS);
    const done = () => {
      clearTimeout(giveUp);
      resolve();
    };
    // A destroyed session is not closed yet. Until it is, grpc-js would wait for it forever. Its pings are answered when
    // it is destroyed, which may be after it was closed.
    session.once("close", done);
    const answered = () => {
      if (!session.destroyed) done();
    };
    if (session.destroyed || !session.ping(answered)) answered();
  });
}
