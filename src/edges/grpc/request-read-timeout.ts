import { constants, type ServerHttp2Stream } from "node:http2";
import { type Metadata, type ServerInterceptor, status } from "@grpc/grpc-js";
import { TOO_MANY_REQUESTS } from "../../errors.js";
import { bufferedBytesAllowed } from "../http/buffered-bytes.js";
import type { ClientOf } from "../http/client-address.js";
import { senderOf } from "./sender.js";

type ServerCall = Parameters<ServerInterceptor>[1];

/** The calls whose request is still arriving. */
export interface RequestReadTimeout {
  /** Watches over a call until its request is there. */
  readonly watch: ServerInterceptor;
}

/** A request that takes longer to arrive is given up. */
const ARRIVES_WITHIN_MS = 10_000;
/** How often they are looked at. */
const LOOK_MS = 100;
const MAX_ARRIVING = 10_000;
/** Of all that may be arriving, a client may have this much. */
const SHARE = 1 / 4;
/** What the smallest part of a request keeps busy, however short it is. */
const PART_BYTES = 200;

/**
 * grpc-js reads the request of a call before anybody asks who sent it. So that those who are not let in can't fill the
 * memory with requests that they never finish, or keep calls open with them, both are bounded here. Client streams are
 * read as they are asked for, after authentication.
 *
 * What arrives at once, as nearly everything does, costs two steps in a map.
 */
export function createRequestReadTimeout(
  clientOf: ClientOf,
  maxBufferedBytes = bufferedBytesAllowed("grpc"),
): RequestReadTimeout {
  const arriving = new Map<ServerCall, Arrival>();
  let isLooking = false;

  function lookSoon(): void {
    isLooking = true;
    setTimeout(look, LOOK_MS).unref();
  }

  /** Looks at those that have not arrived at once. */
  function look(): void {
    const now = performance.now();
    const byClient = new Map<string, Held>();
    for (const [call, arrival] of arriving) {
      if (now - arrival.began <= LOOK_MS) break; // the others came after it
      if (now - arrival.began > ARRIVES_WITHIN_MS) {
        refuse(call, status.DEADLINE_EXCEEDED, "The request took too long to arrive.");
        continue;
      }
      arrival.client ??= clientOf(senderOf(call as unknown as InsideCall));
      const held = byClient.get(arrival.client) ?? { calls: [], bytes: 0 };
      held.calls.push(call);
      held.bytes += bytesOf(call, arrival);
      byClient.set(arrival.client, held);
    }
    refuseTooMuch([...byClient.values()]);
    isLooking = false;
    if (arriving.size > 0) lookSoon();
  }

  /** First those who have more than their share, then everybody. */
  function refuseTooMuch(clients: Held[]): void {
    const isWithin = ({ calls, bytes }: Held) =>
      bytes <= maxBufferedBytes * SHARE && calls.length <= MAX_ARRIVING * SHARE;
    const bytesWithin = clients.filter(isWithin).reduce((sum, { bytes }) => sum + bytes, 0);
    for (const client of clients) {
      if (bytesWithin <= maxBufferedBytes && isWithin(client)) continue;
      for (const call of client.calls) refuse(call, status.RESOURCE_EXHAUSTED, TOO_MANY_REQUESTS);
    }
  }

  function refuse(call: ServerCall, code: status, details: string): void {
    arriving.delete(call);
    call.sendStatus({ code, details });
    // Until its client ends the stream, too, grpc-js would keep what has arrived of the request.
    const { stream } = call as unknown as InsideCall;
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
        const arrival: Arrival = { began: performance.now(), messageBytes: 0, client: undefined };
        arriving.set(call, arrival);
        if (!isLooking) lookSoon();
        const { onReceiveMessage, onReceiveHalfClose, onCancel } = listener;
        listener.onReceiveMessage = (message) => {
          arrival.messageBytes = (message as Buffer).length;
          onReceiveMessage.call(listener, message);
        };
        listener.onReceiveHalfClose = () => {
          arriving.delete(call);
          onReceiveHalfClose.call(listener);
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

/** What is arriving from one client. */
interface Held {
  readonly calls: ServerCall[];
  bytes: number;
}

interface Arrival {
  /** In milliseconds of `performance.now()`. */
  readonly began: number;
  /** Of its message, once that is there but not the end of the request. */
  messageBytes: number;
  /** Known once somebody had to ask. */
  client: string | undefined;
}

/** What grpc-js does not show of a call. */
interface InsideCall {
  readonly stream: ServerHttp2Stream;
  readonly metadata: Metadata;
  getPeer(): string;
  readonly decoder: {
    readonly readMessageSize: number;
    readonly readMessageRemaining: number;
    readonly readPartialMessage: readonly Buffer[];
  };
}

/** What a call keeps of its request. */
function bytesOf(call: ServerCall, { messageBytes }: Arrival): number {
  const { readMessageSize, readMessageRemaining, readPartialMessage } = (call as unknown as InsideCall)
    .decoder;
  const inParts = readMessageSize - readMessageRemaining; // also when all have been put together
  return messageBytes + inParts + readPartialMessage.length * PART_BYTES;
}
