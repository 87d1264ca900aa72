import { constants, type ServerHttp2Stream } from "node:http2";
import type { ServerInterceptor } from "@grpc/grpc-js";
import { endSoon } from "./end-soon.js";
import { pollWhile } from "./poll-while.js";

/** How long a client may take to read its response, in addition to one second per 16 KiB. */
const READ_TIMEOUT_MS = 60_000;
const BYTES_PER_SECOND = 16 * 1024;
/** Interval of checks. By the first check, nearly all responses have been read. */
const POLL_MS = 200;

/**
 * Limits how long an answered call may wait for its client to read the response or end its request. Nothing else would
 * free the memory of such calls.
 */
export function createResponseReadTimeout(): ServerInterceptor {
  let answered: ServerHttp2Stream[] = [];
  /** Deadlines in milliseconds, as in `performance.now()`. */
  const waiting = new Map<ServerHttp2Stream, number>();
  const pollSoon = pollWhile(POLL_MS, () => {
    const now = performance.now();
    for (const [stream, until] of waiting) {
      if (!stream.closed && until <= now) stream.close(constants.NGHTTP2_CANCEL);
      if (stream.closed) waiting.delete(stream);
    }
    for (const stream of answered) {
      if (stream.closed) continue;
      waiting.set(stream, now + READ_TIMEOUT_MS + (stream.bufferSize / BYTES_PER_SECOND) * 1000);
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

function endRequest(stream: ServerHttp2Stream, hasTrailers: boolean): void {
  if (hasTrailers) stream.once("wantTrailers", () => endSoon(stream));
  else endSoon(stream);
}
