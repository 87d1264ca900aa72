import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/** Makes clients reconnect elsewhere without losing a call. */
export interface Goaway {
  /**
   * Resolves when the clients have received the notice and all their earlier calls have arrived, or
   * after 2 s.
   */
  announce(sessions: Iterable<ServerHttp2Session>): Promise<void>;
}

/**
 * A GOAWAY frame with the highest possible stream id, which doesn't refuse any calls yet (RFC 9113, 6.8). Node can't
 * send this frame, and ignores calls in transit after its own GOAWAY.
 */
const NOTICE = Buffer.of(0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0);

const PING_TIMEOUT_MS = 2_000;

/**
 * The notice is sent only without TLS. With TLS, nothing can be inserted between Node's frames, so calls in transit are
 * refused. gRPC clients retry these automatically, because they never started.
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
        // Node writes whole frames, so the notice is sent between two of them. The first frame must be Node's settings.
        if (socket.bytesWritten > 0 && socket.writable) socket.write(NOTICE);
      }
      await Promise.all([...sessions].map(roundTrip));
    },
  };
}

/** Resolves when the client has received everything sent so far, has disconnected, or doesn't answer in time. */
function roundTrip(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(resolve, PING_TIMEOUT_MS);
    const done = () => {
      clearTimeout(giveUp);
      resolve();
    };
    // Waits until a destroyed session is closed, because grpc-js waits for that, too. Destroying a session also calls
    // the callbacks of its pings, possibly before the session is closed.
    session.once("close", done);
    const answered = () => {
      if (!session.destroyed) done();
    };
    if (session.destroyed || !session.ping(answered)) answered();
  });
}
