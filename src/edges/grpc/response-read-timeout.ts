import { constants, type ServerHttp2Stream } from "node:http2";
import type { ServerInterceptor } from "@grpc/grpc-js";
import { endSoon } from "./end-soon.js";
import { pollWhile } from "./poll-while.js";

/** Time for a client to read its response, plus a second for each 16 KiB of it. */
const TAKEN_WITHIN_MS = 60_000;
const BYTES_A_SECOND = 16 * 1024;
/** How often responses are checked. Nearly all are gone at the first check. */
const LOOK_MS = 200;

/**
 * Limits the calls that were answered, but whose client has not read the response.
 *
 * A client that reads nothing would keep its responses in memory forever. One that never ends its request
 * would keep the stream. Nothing else limits them after the call is over.
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

/** Tells a client that is still sending to stop. */
function endRequest(stream: ServerHttp2Stream, hasTrailers: boolean): void {
  if (hasTrailers) stream.once("wantTrailers", () => endSoon(stream));
  else endSoon(stream);
}
