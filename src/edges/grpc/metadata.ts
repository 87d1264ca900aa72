import {
  constants,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
  type ServerOptions,
} from "node:http2";
import { status } from "@grpc/grpc-js";
import type { Logger } from "pino";
import { throttledLog } from "#foundation/log/log.js";
import { endSoon } from "./end-soon.js";

/**
 * Maximum size of a call's metadata. Each header counts 32 bytes more than its text, as in HTTP/2 (RFC 9113, 6.5.2).
 */
const MAX_BYTES = 16 * 1024;
const OVERHEAD_BYTES = 32;
const MAX_PAIRS = 100;

/**
 * Total size of metadata that can be refused on a connection within a second. Above that, the next
 * oversized call closes the connection.
 */
const MAX_REFUSED_BYTES = 64 * 1024;
const WINDOW_MS = 1_000;

/**
 * Advertises the limits to clients. If a client acknowledges them and then sends more, Node resets the stream with
 * ENHANCE_YOUR_CALM. gRPC clients report that as RESOURCE_EXHAUSTED.
 */
export const metadataLimits = {
  maxHeaderListPairs: MAX_PAIRS,
  settings: { maxHeaderListSize: MAX_BYTES },
} satisfies ServerOptions;

/**
 * Refuses calls with too much metadata before grpc-js reads the metadata. Even a short request can have too much: with
 * header compression, one byte can stand for an earlier header of 4 KB.
 */
export function limitMetadata(server: Http2Server, log: Logger): void {
  const refused = throttledLog((times) => log.warn({ times }, "calls refused: metadata too large"));
  const refusedOf = new WeakMap<Http2Session, Refused>();
  const answerers = server.listeners("stream");
  server.removeAllListeners("stream");

  server.on(
    "stream",
    (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: string[]) => {
      const bytes = sizeOf(rawHeaders);
      if (bytes <= MAX_BYTES) {
        for (const answer of answerers) answer.call(server, stream, headers, flags, rawHeaders);
        return;
      }
      refused();
      const session = stream.session as Http2Session | undefined;
      if (!session) return; // an earlier call has closed the session
      const before = refusedOf.get(session);
      const recent = before && before.until > performance.now() ? before : newWindow();
      if (recent.bytes > MAX_REFUSED_BYTES) {
        stream.on("error", () => {});
        if (!recent.isEnded) endConnection(session);
        recent.isEnded = true;
        return;
      }
      recent.bytes += bytes;
      refusedOf.set(session, recent);
      refuse(stream);
    },
  );
}

interface Refused {
  bytes: number;
  isEnded: boolean;
  readonly until: number;
}

function newWindow(): Refused {
  return { bytes: 0, isEnded: false, until: performance.now() + WINDOW_MS };
}

/** @param rawHeaders alternating names and values */
function sizeOf(rawHeaders: readonly string[]): number {
  let bytes = rawHeaders.length * (OVERHEAD_BYTES / 2);
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/** Destroys the session in a later turn. Node 22 crashes if a session is destroyed while its frames are being read. */
function endConnection(session: Http2Session): void {
  session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  setImmediate(() => session.destroy());
}

function refuse(stream: ServerHttp2Stream): void {
  stream.on("error", () => {});
  const answer: IncomingHttpHeaders = {
    ":status": "200",
    "content-type": "application/grpc",
    "grpc-status": String(status.RESOURCE_EXHAUSTED),
    "grpc-message": `The metadata is too large: at most ${MAX_BYTES / 1024} KiB.`,
  };
  stream.respond(answer, { endStream: true });
  endSoon(stream);
}
