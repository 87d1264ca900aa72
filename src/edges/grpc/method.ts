import type { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type DescMessage, type DescMethod, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import {
  type Deadline,
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type Server,
  type ServerDuplexStream,
  type ServerReadableStream,
  type sendUnaryData,
} from "@grpc/grpc-js";
import type { Logger } from "pino";
import { toRpcError } from "#api/pipeline/codes.js";
import type { AdmittedCall, DecodedRequest, Inbound } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { acceptRequestId } from "#api/pipeline/request-id.js";
import { Cancellation, untilCancelled } from "#foundation/concurrency/cancellation.js";
import { invalid, Problem } from "#foundation/errors.js";
import type { ClientOf } from "../http/client-address.js";
import { untilDrained } from "../http/drained.js";
import { senderOf } from "./sender.js";
import { grpcStatusOf } from "./status.js";

/** Timeout of bidirectional streams, which could otherwise stay open indefinitely. */
const BIDI_TIMEOUT_MS = 60_000;

/**
 * Registers a method on the server. grpc-js passes messages on as bytes, so a malformed message fails in the pipeline,
 * after authentication.
 * @param options.isLimited whether calls count towards the rate limit for public methods; by default false
 */
export function registerMethod(
  server: Server,
  pipeline: Pipeline,
  method: DescMethod,
  options: { log: Logger; clientOf: ClientOf; isLimited?: boolean },
): void {
  const { log, clientOf, isLimited = false } = options;
  const path = `/${method.parent.typeName}/${method.name}`;
  const mounted: MethodContext = {
    pipeline,
    method,
    toInbound: (call) => inboundOf(call, clientOf, isLimited),
    bind: binder(method.input),
    encode: encoder(method, log),
  };
  switch (method.methodKind) {
    case "unary":
      server.register(path, unary(mounted), identity, identity, "unary");
      break;
    case "server_streaming":
      server.register(path, serverStream(mounted), identity, identity, "serverStream");
      break;
    case "client_streaming":
      server.register(path, clientStream(mounted), identity, identity, "clientStream");
      break;
    case "bidi_streaming":
      server.register(path, bidiStream(mounted), identity, identity, "bidi");
  }
}

interface MethodContext {
  readonly pipeline: Pipeline;
  readonly method: DescMethod;
  toInbound(call: AnyCall): Inbound;
  readonly bind: (bytes: Buffer) => DecodedRequest;
  readonly encode: (response: Message) => Buffer;
}

function identity(bytes: Buffer): Buffer {
  return bytes;
}

function unary(mounted: MethodContext): handleUnaryCall<Buffer, Buffer> {
  return (call, respond) =>
    void answer(mounted, call, (admitted) => admitted.unary(mounted.bind(call.request)), respond);
}

function serverStream(mounted: MethodContext): handleServerStreamingCall<Buffer, Buffer> {
  const { pipeline, method, encode } = mounted;
  return async (call) => {
    const inbound = mounted.toInbound(call);
    await send(call, inbound, async () => {
      const admitted = await pipeline.admit(method, inbound);
      for await (const response of admitted.serverStream(mounted.bind(call.request))) {
        // If the client disconnects or cancels the call, the pipeline ends the loop.
        if (!call.write(encode(response))) await untilDrained(call, inbound.cancellation.signal);
      }
    });
  };
}

/**
 * Serves a bidirectional stream. Reads a request only after the previous response was sent, so at most one response is
 * in memory.
 */
function bidiStream(mounted: MethodContext): handleBidiStreamingCall<Buffer, Buffer> {
  const { pipeline, method, encode } = mounted;
  return async (call) => {
    const withoutBody = mounted.toInbound(call);
    const inbound = {
      ...withoutBody,
      timeoutMs: Math.min(withoutBody.timeoutMs ?? BIDI_TIMEOUT_MS, BIDI_TIMEOUT_MS),
    };
    await send(call, inbound, async () => {
      const admitted = await pipeline.admit(method, inbound);
      for await (const response of admitted.bidiStream(bindEach(mounted.bind, call))) {
        const written = new Promise<void>((resolve) => call.write(encode(response), () => resolve()));
        await untilCancelled(inbound.cancellation, written);
      }
    });
  };
}

interface EndableCall extends AnyCall {
  readonly cancelled: boolean;
  end(trailers: Metadata): void;
}

/**
 * Returns the internal part of grpc-js that can send a status before queued messages. The public API sends the status
 * after them.
 */
function internalCallOf(call: EndableCall): { sendStatus(status: ReturnType<typeof grpcStatusOf>): void } {
  return (call as unknown as { call: ReturnType<typeof internalCallOf> }).call;
}

/** Ends a stream with the status that results from `respond`. */
async function send(
  call: EndableCall,
  { requestId, cancellation }: Inbound,
  respond: () => Promise<void>,
): Promise<void> {
  try {
    await respond();
    ignoreCancelling(call);
    call.end(withRequestId(new Metadata(), requestId));
  } catch (error) {
    if (call.cancelled) return;
    ignoreCancelling(call);
    const status = statusWithId(error, requestId);
    if (cancellation.isCancelled) internalCallOf(call).sendStatus(status);
    else call.emit("error", status); // grpc-js sends the status of this event
  }
}

/** Adds the request id to the trailing metadata. This keeps a refusal in a single frame. */
function withRequestId(metadata: Metadata, requestId: string): Metadata {
  metadata.set("x-request-id", requestId);
  return metadata;
}

function statusWithId(error: unknown, requestId: string): ReturnType<typeof grpcStatusOf> {
  const status = grpcStatusOf(error);
  return { ...status, metadata: withRequestId(status.metadata ?? new Metadata(), requestId) };
}

function clientStream(mounted: MethodContext): handleClientStreamingCall<Buffer, Buffer> {
  return (call, respond) =>
    void answer(mounted, call, (admitted) => admitted.clientStream(bindMessage(mounted.bind, call)), respond);
}

async function answer(
  { pipeline, method, encode, toInbound }: MethodContext,
  call: AnyCall,
  run: (admitted: AdmittedCall) => Promise<Message>,
  respond: sendUnaryData<Buffer>,
): Promise<void> {
  let bytes: Buffer;
  const inbound = toInbound(call);
  try {
    const admitting = pipeline.admit(method, inbound);
    const admitted = admitting instanceof Promise ? await admitting : admitting;
    bytes = encode(await run(admitted));
  } catch (error) {
    ignoreCancelling(call);
    respond(statusWithId(error, inbound.requestId));
    return;
  }
  ignoreCancelling(call);
  respond(null, bytes, withRequestId(new Metadata(), inbound.requestId));
}

interface AnyCall extends EventEmitter {
  readonly metadata: Metadata;
  getDeadline(): Deadline;
  /** Returns the client's certificate if a trusted CA has signed it. */
  getAuthContext(): { readonly sslPeerCertificate?: unknown };
  /** Returns the client's address with its port. */
  getPeer(): string;
}

function inboundOf(call: AnyCall, clientOf: ClientOf, isLimited: boolean): Inbound {
  const cancellation = new Cancellation();
  const deadline = Number(call.getDeadline());
  call.on("cancelled", () => cancellation.cancel(cancelledProblem(deadline)));
  return {
    credentials: {
      authorization: text(call, "authorization"),
      hasCertificate: call.getAuthContext().sslPeerCertificate !== undefined,
    },
    cancellation,
    timeoutMs: deadline === Number.POSITIVE_INFINITY ? undefined : deadline - Date.now(),
    requestId: acceptRequestId(text(call, "x-request-id")),
    header: (name) => text(call, name),
    client: clientOf(senderOf(call)),
    isLimited,
  };
}

/** grpc-js also emits `cancelled` when the deadline passes. */
function cancelledProblem(deadline: number): Problem {
  return Date.now() >= deadline
    ? new Problem("deadline-exceeded", "The deadline of the call has passed.")
    : new Problem("cancelled", "The caller cancelled the call.");
}

/** grpc-js emits `cancelled` at the end of every call, even after a response. */
function ignoreCancelling(call: AnyCall): void {
  call.removeAllListeners("cancelled");
}

function text(call: AnyCall, key: string): string | undefined {
  const [value] = call.metadata.get(key);
  return typeof value === "string" ? value : undefined;
}

/** Returns a function that parses a message and drops unknown fields. `fromBinary` limits nesting. */
function binder(schema: DescMessage): (bytes: Buffer) => DecodedRequest {
  return (bytes) => {
    try {
      return { request: fromBinary(schema, bytes, { readUnknownFields: false }) };
    } catch (error) {
      return { problem: invalid(`The request is not a valid ${schema.typeName}.`, error) };
    }
  };
}

/**
 * A Node client that cancels a stream ends it first, and resets it about 3 ms later (measured). A stream counts as
 * complete only if no reset follows within this time.
 */
const CANCELLATION_LAG_MS = 15;

async function* bindMessage(
  bind: MethodContext["bind"],
  call: ServerReadableStream<Buffer, Buffer>,
): AsyncIterable<DecodedRequest> {
  for await (const bytes of call) yield bind(bytes);
  await delay(CANCELLATION_LAG_MS);
  if (call.cancelled) throw new Problem("cancelled", "The caller cancelled the call.");
}

async function* bindEach(
  bind: MethodContext["bind"],
  call: ServerDuplexStream<Buffer, Buffer>,
): AsyncIterable<DecodedRequest> {
  // The stream must stay open for the status, even when nobody reads it any longer.
  for await (const bytes of call.iterator({ destroyOnReturn: false })) yield bind(bytes);
}

/** Encodes responses here instead of in grpc-js, to log a response that can't be encoded. */
function encoder(method: DescMethod, log: Logger): (response: Message) => Buffer {
  return (response) => {
    try {
      return Buffer.from(toBinary(method.output, response));
    } catch (error) {
      log.error(
        { method: `${method.parent.typeName}/${method.name}`, err: error },
        "response can't be encoded",
      );
      throw toRpcError(error);
    }
  };
}
