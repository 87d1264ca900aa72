import { constants, type ServerHttp2Stream } from "node:http2";
import type { ServerInterceptor } from "@grpc/grpc-js";

/** The calls that were answered, and whose client is still to take the answer. */
export interface ResponseReadTimeout {
  readonly watch: ServerInterceptor;
}

/** An answer that its client does not take is given up after this long, and after a second more for each 16 KiB of it. */
const TAKEN_WITHIN_MS = 60_000;
const BYTES_A_SECOND = 16 * 1024;
/** How often they are looked at: nearly all are gone when they are for the first time. */
const LOOK_MS = 200;

/**
 * A client that reads nothing would keep its answers here, and one that never ends its request keeps the stream, for as long
 * as it likes: nothing else bounds them once the call is over.
 */
export function createResponseReadTimeout(): ResponseReadTimeout {
  let answered: ServerHttp2Stream[] = [];
  /** Until when each may stay, in milliseconds of `performance.now()`. */
  const waiting = new Map<ServerHttp2Stream, number>();
  let isLooking = false;

  function lookSoon(): void {
    isLooking = true;
    setTimeout(look, LOOK_MS).unref();
  }

  function look(): void {
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
    isLooking = false;
    if (waiting.size > 0) lookSoon();
  }

  return {
    watch({ requestStream }, call) {
      const inside = call as unknown as InsideCall;
      const { stream, sendStatus } = inside;
      inside.sendStatus = (status) => {
        const hasTrailers = stream.headersSent;
        sendStatus.call(call, status);
        if (requestStream) endRequest(stream, hasTrailers);
        answered.push(stream);
        if (!isLooking) lookSoon();
      };
      return call as ReturnType<ServerInterceptor>;
    },
  };
}

interface InsideCall {
  readonly stream: ServerHttp2Stream;
  sendStatus(status: unknown): void;
}

/** Tells a client that is still sending that it need not. */
function endRequest(stream: ServerHttp2Stream, hasTrailers: boolean): void {
  const end = () => stream.close(constants.NGHTTP2_NO_ERROR);
  if (hasTrailers)
    stream.once("wantTrailers", () => setImmediate(end)); // a reset would overtake them
  else end();
}
