import type { Http2Server, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { Logger } from "pino";
import { throttledLog } from "#foundation/log/log.js";

const POLL_MS = 250;

/** A working session sends a ping within this time. */
const PING_TIMEOUT_MS = 1_000;

/**
 * Closes connections that nghttp2 has ended, because Node 20 leaves them open. When a header exceeds 64 KiB, nghttp2
 * sends GOAWAY and stops reading. The client would then wait until its deadline.
 *
 * Also logs calls whose metadata Node refuses. Node resets their streams without emitting an event.
 */
export function closeEndedSessions(server: Http2Server, log: Logger): void {
  const refused = throttledLog((times) =>
    log.warn({ times }, "calls refused before they started: metadata too large, or headers malformed"),
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
  }, POLL_MS).unref();
  server.once("close", () => clearInterval(looking));
}

/** `begun` is the id of the last stream that Node emitted or that was logged as refused. */
interface LastStream {
  begun: number;
  /**
   * Whether nghttp2 had already seen a newer stream at the previous check, although Node had not emitted its event. The
   * next check must confirm this, because the event may be late on a busy machine.
   */
  isBehind: boolean;
}

/**
 * Closes the session if nghttp2 has ended it. To find out, checks whether the session still sends a ping. Doesn't wait
 * for the response to the ping, because the response may be late if both sides are busy.
 */
function closeIfEnded(session: ServerHttp2Session): void {
  const bytesBefore = session.socket.bytesWritten;
  session.ping(() => {});
  setTimeout(() => {
    if (session.destroyed || session.socket.bytesWritten > bytesBefore) return;
    if ((session.state.outboundQueueSize ?? 0) > 0) session.destroy();
  }, PING_TIMEOUT_MS).unref();
}
