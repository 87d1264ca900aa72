import type { ServerHttp2Stream } from "node:http2";
import { type Metadata, type ServerInterceptor, status } from "@grpc/grpc-js";
import { TOO_MANY_REQUESTS } from "#foundation/errors.js";
import { bufferedBytesAllowed } from "../http/buffered-bytes.js";
import type { ClientOf } from "../http/client-address.js";
import { endSoon } from "./end-soon.js";
import { pollWhile } from "./poll-while.js";
import { senderOf } from "./sender.js";

type ServerCall = Parameters<ServerInterceptor>[1];

const READ_TIMEOUT_MS = 10_000;
const POLL_MS = 100;
const MAX_ARRIVING = 10_000;
/** Maximum share that one client can use, both of the arriving requests and of their bytes. */
const MAX_CLIENT_SHARE = 1 / 4;
/** Memory that each part of a request occupies, even if the part is almost empty. */
const PART_OVERHEAD_BYTES = 200;

/**
 * Limits the calls whose requests are still arriving.
 *
 * grpc-js reads a request before the caller is authenticated. Without limits, anyone could fill the memory with
 * unfinished requests or keep their calls open. Client streams need no limit here, because they are read after
 * authentication.
 *
 * Nearly all requests arrive completely at once. For these, the limit costs only two map operations.
 */
export function createRequestReadTimeout(
  clientOf: ClientOf,
  maxBufferedBytes = bufferedBytesAllowed("grpc"),
): ServerInterceptor {
  const arriving = new Map<ServerCall, Arrival>();
  const pollSoon = pollWhile(POLL_MS, () => {
    const now = performance.now();
    const byClient = new Map<string, ClientUsage>();
    for (const [call, arrival] of arriving) {
      if (now - arrival.began <= POLL_MS) break; // all following requests are younger
      if (now - arrival.began > READ_TIMEOUT_MS) {
        refuse(call, status.DEADLINE_EXCEEDED, "The request took too long to arrive.");
        continue;
      }
      arrival.client ??= clientOf(senderOf(call as unknown as InsideCall));
      const usage = byClient.get(arrival.client) ?? { calls: [], bytes: 0 };
      usage.calls.push(call);
      usage.bytes += bytesOf(call, arrival);
      byClient.set(arrival.client, usage);
    }
    refuseTooMuch([...byClient.values()]);
    return arriving.size > 0;
  });

  /** Refuses clients that use more than their share. If the others still use too much, refuses everyone. */
  function refuseTooMuch(clients: ClientUsage[]): void {
    const isWithin = ({ calls, bytes }: ClientUsage) =>
      bytes <= maxBufferedBytes * MAX_CLIENT_SHARE && calls.length <= MAX_ARRIVING * MAX_CLIENT_SHARE;
    const bytesWithin = clients.filter(isWithin).reduce((sum, { bytes }) => sum + bytes, 0);
    for (const client of clients) {
      if (bytesWithin <= maxBufferedBytes && isWithin(client)) continue;
      for (const call of client.calls) refuse(call, status.RESOURCE_EXHAUSTED, TOO_MANY_REQUESTS);
    }
  }

  function refuse(call: ServerCall, code: status, details: string): void {
    arriving.delete(call);
    call.sendStatus({ code, details });
    // Without this, grpc-js would keep the received data until the client ends the stream.
    const { stream } = call as unknown as InsideCall;
    endSoon(stream);
  }

  return ({ requestStream }, call) => {
    if (requestStream) return call as ReturnType<ServerInterceptor>;
    const { start } = call;
    call.start = (listener) => {
      if (arriving.size >= MAX_ARRIVING) {
        refuse(call, status.RESOURCE_EXHAUSTED, TOO_MANY_REQUESTS);
        return;
      }
      const arrival: Arrival = { began: performance.now(), messageBytes: 0, client: undefined };
      arriving.set(call, arrival);
      pollSoon();
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
  };
}

interface ClientUsage {
  readonly calls: ServerCall[];
  bytes: number;
}

interface Arrival {
  /** In milliseconds, as in `performance.now()`. */
  readonly began: number;
  /** Size of the message, if the message has arrived completely but the request has not ended. */
  messageBytes: number;
  client: string | undefined;
}

/** Internals of a call in grpc-js. */
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

function bytesOf(call: ServerCall, { messageBytes }: Arrival): number {
  const { readMessageSize, readMessageRemaining, readPartialMessage } = (call as unknown as InsideCall)
    .decoder;
  // grpc-js keeps the parts of a message in memory until the next message begins.
  const inParts = readMessageSize - readMessageRemaining;
  return messageBytes + inParts + readPartialMessage.length * PART_OVERHEAD_BYTES;
}
