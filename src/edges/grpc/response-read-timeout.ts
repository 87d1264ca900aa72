import { constants, type ServerHttp2Stream } from "node:http2";
import type { ServerInterceptor } from "@grpc/grpc-js";
import { endSoon } from "./end-soon.js";
import { pollWhile } from "./poll-while.js";

/** Time for a client to read its response, plus one second per 16 KiB of the response. */
const TAKEN_WITHIN_MS = 60_000;
const BYTES_A_SECOND = 16 * 1024;
/** Interval of checking responses. Nearly all have been read at the first check. */
const LOOK_MS = 200;

/**
 * Limits calls that were answered, but whose clients haven't read the response.
 *
 * A client that doesn't read would keep its responses in memory forever, and one that never ends its request would keep
 * the stream. Nothing else limits them after the call is over.
 */
export function createResponseReadTimeout(): ServerInterceptor {
  let answered: ServerHttp2Stream[] = [];
  /** Deadline of each stream, in milliseconds of `performance.now()`. */
  const waiting = new Map<ServerHttp2Stream, number>();
  const pollSoon = pollWhile(LOOK_MS, () => {
    const now = performance.now();
    for (const [stream, until] of waiting) {
      if (!stream.closed && until <= now) stream.close(constants.NGHTTP2_CANCEL);
      if (stream.closed) waiting.delete(stream);
    }
    for (const stream of answered) {
      if (stream.closed) continue;
      waiting.set(stream, now + TAKEN_WITHIN_MS + (stream.bufferSize / BYTES_A_SECOND) * 1000);
    }
    answered = [];
    return waiting.size > 0;
  });

  return ({ requestStream }, call) => {
    const inside = call as unknown as InsideCall;
    const { stream, sendStatus } = inside;
    inside.sendStatus = (status) => {
      const hasTrailers = stream.headersSent;
      sendStatus.call(call, status);
      if (requestStream) endRequest(stream, hasTrailers);
      answered.push(stream);
      pollSoon();
    };
    return call as ReturnType<ServerInterceptor>;
  };
}

interface InsideCall {
  readonly stream: ServerHttp2Stream;
  sendStatus(status: unknown): void;
}

/** Makes a client that is still sending stop. */
function endRequest(stream: ServerHttp2Stream, hasTrailers: boolean): void {
  if (hasTrailers) stream.once("wantTrailers", () => endSoon(stream));
  else endSoon(stream);
}
