import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Logger } from "pino";
import { throttledLog } from "#foundation/log/log.js";

const LOOK_MS = 250;

/** A ping is sent by then. */
const PATIENCE_MS = 1_000;

/**
 * Closes connections that nghttp2 has ended, where Node 20 leaves them open. It ends one for a single header of more than
 * 64 KiB: it says so to the client (GOAWAY), and reads nothing any more. The client would wait until its deadline.
 *
 * Also logs the calls that Node refuses for their metadata: it resets their streams, and tells nothing either.
 */
export function closeEndedSessions(server: Http2Server, log: Logger): void {
  const refused = throttledLog((times) =>
    log.warn({ times }, "calls refused before they began: too much metadata, or malformed headers"),
  );
  // Node 22 and later close such a connection themselves.
  server.on("sessionError", (error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_HTTP2_ERROR") refused();
  });
  const sessions = new Map<ServerHttp2Session, LastStream>();
  server.on("session", (session) => {
    const last = { begun: 0, isBehind: false };
    sessions.set(session, last);
    session.on("stream", ({ id = 0 }: ServerHttp2Stream) => {
      last.begun = id;
    });
    session.once("close", () => sessions.delete(session));
  });
  const looking = setInterval(() => {
    for (const [session, last] of sessions) {
      const { lastProcStreamID = 0 } = session.destroyed ? {} : session.state;
      const isBehind = lastProcStreamID > last.begun;
      const wasBehind = last.isBehind;
      last.isBehind = isBehind && !wasBehind;
      if (!isBehind || !wasBehind) continue;
      last.begun = lastProcStreamID;
      refused();
      closeIfEnded(session);
    }
  }, LOOK_MS).unref();
  server.once("close", () => clearInterval(looking));
}

/** The id of the last stream that has started, and of which Node has reported or we have logged. */
interface LastStream {
  begun: number;
  /** Whether the last look found a later one that had not begun: on a busy machine, that may be on its way to us. */
  isBehind: boolean;
}

/** A session that has ended sends nothing: a ping stays in its queue. Where both sides are busy, its answer may be late. */
function closeIfEnded(session: ServerHttp2Session): void {
  const bytesBefore = session.socket.bytesWritten;
  session.ping(() => {});
  setTimeout(() => {
    if (session.destroyed || session.socket.bytesWritten > bytesBefore) return;
    if ((session.state.outboundQueueSize ?? 0) > 0) session.destroy();
  }, PATIENCE_MS).unref();
}
