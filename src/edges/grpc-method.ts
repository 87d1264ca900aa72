import type { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type DescMessage, type DescMethod, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import type {
  Deadline,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  Server,
  ServerReadableStream,
  ServerWritableStream,
  StatusObject,
  sendUnaryData,
} from "@grpc/grpc-js";
import type { Logger } from "pino";
import { toRpcError } from "../api/codes.js";
import type { Bound, Inbound, Pipeline } from "../api/pipeline.js";
import { acceptRequestId } from "../api/request-id.js";
import { Cancellation } from "../cancellation.js";
import { invalid, Problem } from "../errors.js";

/**
 * Mounts one method on the server. Messages pass grpc-js as bytes, so that a malformed one fails where the pipeline
 * validates, not before authentication.
 */
export function registerMethod(server: Server, pipeline: Pipeline, method: DescMethod, log: Logger): void {
  const path = `/${method.parent.typeName}/${method.name}`;
  switch (method.methodKind) {
    case "unary":
      server.register(path, unary(pipeline, method, log), asIs, asIs, "unary");
      break;
    case "server_streaming":
      server.register(path, serverStream(pipeline, method, log), asIs, asIs, "serverStream");
      break;
    case "client_streaming":
      server.register(path, clientStream(pipeline, method, log), asIs, asIs, "clientStream");
      break;
    case "bidi_streaming":
      throw new Error(`${path} streams both ways: no edge can serve that`);
  }
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

function unary(pipeline: Pipeline, method: DescMethod, log: Logger): handleUnaryCall<Buffer, Buffer> {
  return (call, respond) => {
    const response = pipeline.unary(method, receive(call), () => bind(method.input, call.request));
    void answer(call, respond, method, response, log);
  };
}

function serverStream(
  pipeline: Pipeline,
  method: DescMethod,
  log: Logger,
): handleServerStreamingCall<Buffer, Buffer> {
  return async (call) => {
    const inbound = receive(call);
    const responses = pipeline.serverStream(method, inbound, () => bind(method.input, call.request));
    try {
      for await (const response of responses) {
        if (!call.write(encode(method, response, log))) await drained(call, inbound.abort.signal);
      }
      ignoreCancelling(call);
      call.end();
    } catch (error) {
      if (call.cancelled) return;
      ignoreCancelling(call);
      call.emit("error", statusOf(error)); // how grpc-js wants to be told the status of a stream
    }
  };
}

function clientStream(
  pipeline: Pipeline,
  method: DescMethod,
  log: Logger,
): handleClientStreamingCall<Buffer, Buffer> {
  return (call, respond) => {
    const response = pipeline.clientStream(method, receive(call), bindEach(method.input, call));
    void answer(call, respond, method, response, log);
  };
}

async function answer(
  call: AnyCall,
  respond: sendUnaryData<Buffer>,
  method: DescMethod,
  response: Promise<Message>,
  log: Logger,
): Promise<void> {
  let bytes: Buffer;
  try {
    bytes = encode(method, await response, log);
  } catch (error) {
    ignoreCancelling(call);
    respond(statusOf(error));
    return;
  }
  ignoreCancelling(call);
  respond(null, bytes);
}

/** What the calls of every kind have in common. */
interface AnyCall extends EventEmitter {
  readonly metadata: Metadata;
  getDeadline(): Deadline;
}

function receive(call: AnyCall): Inbound {
  const abort = new Cancellation();
  const deadline = Number(call.getDeadline());
  call.on("cancelled", () => abort.abort(cancellation(deadline)));
  return {
    credentials: { authorization: text(call, "authorization") },
    abort,
    timeoutMs: deadline === Number.POSITIVE_INFINITY ? undefined : deadline - Date.now(),
    requestId: acceptRequestId(text(call, "x-request-id")),
    header: (name) => text(call, name),
  };
}

/** grpc-js says `cancelled` when the deadline passes, too. */
function cancellation(deadline: number): Problem {
  return Date.now() >= deadline
    ? new Problem("deadline-exceeded", "The deadline of the call has passed.")
    : new Problem("cancelled", "The caller cancelled the call.");
}

/** grpc-js says `cancelled` at the end of every call: one that was answered must not be aborted. */
function ignoreCancelling(call: AnyCall): void {
  call.removeAllListeners("cancelled");
}

function text(call: AnyCall, key: string): string | undefined {
  const [value] = call.metadata.get(key);
  return typeof value === "string" ? value : undefined;
}

function bind(schema: DescMessage, bytes: Buffer): Bound {
  try {
    return { request: fromBinary(schema, bytes) };
  } catch (error) {
    return { problem: invalid(`The request is not a valid ${schema.typeName}.`, error) };
  }
}

/**
 * A cancelled stream first looks complete: clients on Node end it and reset it after that, seen here some 3 ms later. So the
 * end of a stream is believed only after this long.
 */
const CANCELLATION_LAG_MS = 15;

async function* bindEach(
  schema: DescMessage,
  call: ServerReadableStream<Buffer, Buffer>,
): AsyncIterable<() => Bound> {
  for await (const bytes of call) yield () => bind(schema, bytes);
  await delay(CANCELLATION_LAG_MS);
  if (call.cancelled) throw new Problem("cancelled", "The caller cancelled the call.");
}

/** Encodes here, not in grpc-js, so that what does not fit its type is logged. */
function encode(method: DescMethod, response: Message, log: Logger): Buffer {
  try {
    // A copy: taking the bytes over would make an ArrayBuffer for each response, and costs a tenth of the call.
    return Buffer.from(toBinary(method.output, response));
  } catch (error) {
    log.error(
      { method: `${method.parent.typeName}/${method.name}`, err: error },
      "response can't be encoded",
    );
    throw toRpcError(error);
  }
}

/** Status messages travel in a header, percent-encoded; many clients take no more than 8 KB, and grpc-js's waits for ever. */
const MAX_STATUS_CHARS = 800;

function statusOf(error: unknown): Pick<StatusObject, "code" | "details"> {
  const { code, rawMessage } = error instanceof ConnectError ? error : toRpcError(error);
  const isLong = rawMessage.length > MAX_STATUS_CHARS;
  const details = isLong ? `${rawMessage.slice(0, MAX_STATUS_CHARS).toWellFormed()}…` : rawMessage;
  return { code: code as number, details };
}

/** Resolves when the stream takes more, or when it is gone or the call was aborted: then the pipeline ends it. */
function drained(call: ServerWritableStream<Buffer, Buffer>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (call.destroyed || signal.aborted) return resolve();
    const done = () => {
      call.off("drain", done);
      call.off("close", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    call.on("drain", done);
    call.on("close", done);
    signal.addEventListener("abort", done);
  });
}
