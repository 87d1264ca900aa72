import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Logger } from "pino";
import { rarely } from "../../log/log.js";

const LOOK_MS = 500;

/** A client that reads has taken a ping from us by then. */
const PATIENCE_MS = 1_000;

/**
 * Closes connections that nghttp2 has ended. It ends one for a single header of more than 64 KiB: it tells the client
 * (GOAWAY), and reads nothing any more. It tells Node nothing, which leaves the connection open. The client would wait
 * for its call until its deadline.
 *
 * Also logs the calls that Node refuses for their metadata: it resets their streams, and tells nothing either.
 */
export function closeEndedSessions(server: Http2Server, log: Logger): void {
  const refused = rarely((times) =>
    log.warn({ times }, "calls refused before they began: too much metadata, or malformed headers"),
  );
  const sessions = new Map<ServerHttp2Session, LastStream>();
  server.on("session", (session) => {
    const last = { begun: 0 };
    sessions.set(session, last);
    session.on("stream", ({ id = 0 }: ServerHttp2Stream) => {
      last.begun = id;
    });
    session.once("close", () => sessions.delete(session));
  });
  const looking = setInterval(() => {
    for (const [session, last] of sessions) {
      const { lastProcStreamID = 0 } = session.destroyed ? {} : session.state;
      if (lastProcStreamID <= last.begun) continue;
      last.begun = lastProcStreamID;
      refused();
      closeIfEnded(session);
    }
  }, LOOK_MS).unref();
  server.once("close", () => clearInterval(looking));
}

/** The id of the last stream that has begun, and of which Node has told or we have logged. */
interface LastStream {
  begun: number;
}

/** A session that has ended sends nothing: a ping stays in its queue. */
function closeIfEnded(session: ServerHttp2Session): void {
  let isAnswered = false;
  session.ping(() => {
    isAnswered = true;
  });
  setTimeout(() => {
    if (!isAnswered && !session.destroyed && (session.state.outboundQueueSize ?? 0) > 0) session.destroy();
  }, PATIENCE_MS).unref();
}
