import { constants, type ServerHttp2Stream } from "node:http2";
import { type ServerInterceptor, status } from "@grpc/grpc-js";
import { TOO_MANY_REQUESTS } from "../errors.js";

type ServerCall = Parameters<ServerInterceptor>[1];

/** The calls whose request is still arriving. */
export interface Arrivals {
  /** Watches over a call until its request is there. */
  readonly watch: ServerInterceptor;
}

/** A request that takes longer to arrive is given up. */
const ARRIVES_WITHIN_MS = 10_000;
/** How often they are looked at. */
const LOOK_MS = 200;
/** While the buffers of the process hold more bytes, only requests that arrive at once are taken. */
const MAX_BUFFERED_BYTES = 512 * 1024 * 1024;
const MAX_ARRIVING = 10_000;

/**
 * grpc-js reads the request of a call before anybody asks who sent it. So that those who are not let in can't fill the
 * memory with requests that they never finish, or keep calls open with them, both are bounded here. Client streams are
 * read as they are asked for, after authentication.
 *
 * What arrives at once, as nearly everything does, costs two steps in a map.
 */
export function createArrivals(): Arrivals {
  /** With when they began, in milliseconds of `performance.now()`. */
  const arriving = new Map<ServerCall, number>();
  let isLooking = false;

  function lookSoon(): void {
    isLooking = true;
    setTimeout(look, LOOK_MS).unref();
  }

  function look(): void {
    const now = performance.now();
    let isTooMuch: boolean | undefined;
    for (const [call, began] of arriving) {
      if (now - began <= LOOK_MS) break; // the others came after it
      isTooMuch ??= process.memoryUsage().arrayBuffers > MAX_BUFFERED_BYTES;
      if (now - began > ARRIVES_WITHIN_MS) {
        refuse(call, status.DEADLINE_EXCEEDED, "The request took too long to arrive.");
      } else if (isTooMuch) {
        refuse(call, status.RESOURCE_EXHAUSTED, TOO_MANY_REQUESTS);
      }
    }
    isLooking = false;
    if (arriving.size > 0) lookSoon();
  }

  function refuse(call: ServerCall, code: status, details: string): void {
    arriving.delete(call);
    call.sendStatus({ code, details });
    // Until its client ends the stream, too, grpc-js would keep what has arrived of the request.
    const { stream } = call as unknown as { stream: ServerHttp2Stream };
    stream.close(constants.NGHTTP2_NO_ERROR);
  }

  return {
    watch({ requestStream }, call) {
      if (requestStream) return call as ReturnType<ServerInterceptor>;
      const { start } = call;
      call.start = (listener) => {
        if (arriving.size >= MAX_ARRIVING) {
          refuse(call, status.RESOURCE_EXHAUSTED, TOO_MANY_REQUESTS);
          return;
        }
        arriving.set(call, performance.now());
        if (!isLooking) lookSoon();
        const { onReceiveMessage, onCancel } = listener;
        listener.onReceiveMessage = (message) => {
          arriving.delete(call);
          onReceiveMessage.call(listener, message);
        };
        listener.onCancel = () => {
          arriving.delete(call);
          onCancel.call(listener);
        };
        start.call(call, listener);
      };
      return call as ReturnType<ServerInterceptor>;
    },
  };
}
