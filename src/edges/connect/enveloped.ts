import { type DescMethod, type Message, toBinary, toJson } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type MethodImplSpec,
} from "@connectrpc/connect";
import { createUniversalMethodHandler, type UniversalServerRequest } from "@connectrpc/connect/protocol";
import { createHandlerFactory as createConnectFactory } from "@connectrpc/connect/protocol-connect";
import { createHandlerFactory as createGrpcWebFactory } from "@connectrpc/connect/protocol-grpc-web";
import type { Logger } from "pino";
import { toRpcError } from "#api/pipeline/codes.js";
import type { AdmittedCall, DecodedRequest } from "#api/pipeline/inbound.js";
import { invalid, Problem } from "#foundation/errors.js";
import type { ConnectEndpoint, ConnectOptions } from "./endpoint.js";

/** The admitted call, or the error that refuses the request. */
const admissionKey = createContextKey<AdmittedCall | ConnectError | undefined>(undefined);

/**
 * Serves a method over the protocols that wrap each message in an envelope: gRPC-Web, and Connect for streams. Presents
 * every method to connect-node as a bidirectional stream, because connect-node then parses a message only when the
 * pipeline reads the message.
 */
export function createEnvelopedEndpoint(
  method: DescMethod,
  options: ConnectOptions,
  log: Logger,
): ConnectEndpoint {
  const grpcWeb = createGrpcWebFactory(options);
  const protocols = method.methodKind === "unary" ? [grpcWeb] : [grpcWeb, createConnectFactory(options)];

  async function* impl(requests: AsyncIterable<Message>, context: HandlerContext): AsyncIterable<Message> {
    const admission = context.values.get(admissionKey);
    if (!admission) throw new Error("the call was not admitted");
    if (admission instanceof ConnectError) throw admission;
    for await (const response of run(method, admission, requests)) {
      checkEncodable(method, response, context, log);
      yield response;
    }
  }
  const handler = createUniversalMethodHandler(
    { kind: "bidi_streaming", method, impl } as unknown as MethodImplSpec,
    protocols,
  );
  const answer = (request: UniversalServerRequest, admission: AdmittedCall | ConnectError) =>
    handler({ ...request, contextValues: createContextValues().set(admissionKey, admission) });
  return {
    allowedMethods: ["POST"],
    supportsContentType: handler.supportedContentType,
    answer,
    refuse: answer,
  };
}

async function* run(
  method: DescMethod,
  call: AdmittedCall,
  requests: AsyncIterable<Message>,
): AsyncIterable<Message> {
  switch (method.methodKind) {
    case "unary":
      yield await call.unary(await bindOne(requests));
      break;
    case "server_streaming":
      yield* call.serverStream(await bindOne(requests));
      break;
    case "client_streaming":
      yield await call.clientStream(bindEach(requests));
      break;
    case "bidi_streaming":
      throw new Error(`${method.name} streams both ways: no edge can serve that`);
  }
}

/**
 * Encodes a response only to log an error if that fails. connect-node would report the details to the caller instead,
 * and has no hook for logging.
 */
function checkEncodable(method: DescMethod, response: Message, context: HandlerContext, log: Logger): void {
  try {
    if (context.responseHeader.get("content-type")?.endsWith("json")) toJson(method.output, response);
    else toBinary(method.output, response);
  } catch (error) {
    log.error(
      { method: `${method.parent.typeName}/${method.name}`, err: error },
      "response can't be encoded",
    );
    throw toRpcError(error);
  }
}

async function bindOne(requests: AsyncIterable<Message>): Promise<DecodedRequest> {
  let request: Message | undefined;
  try {
    for await (const next of requests) {
      if (request) return { problem: invalid("The method takes one message, not several.") };
      request = next;
    }
  } catch (error) {
    return { problem: unreadable(error) };
  }
  return request ? { request } : { problem: invalid("The method takes one message, not none.") };
}

async function* bindEach(requests: AsyncIterable<Message>): AsyncIterable<DecodedRequest> {
  try {
    for await (const request of requests) yield { request };
  } catch (error) {
    yield { problem: unreadable(error) };
  }
}

/**
 * Converts an error from reading a request. For malformed messages, connect-node throws a `ConnectError`. All other
 * errors come from the connection.
 */
function unreadable(error: unknown): Problem {
  if (!(error instanceof ConnectError))
    return new Problem("cancelled", "The request was incomplete.", { cause: error });
  if (error.cause instanceof Problem) return error.cause; // thrown while reading the body
  if (error.code !== Code.ResourceExhausted) return invalid(error.rawMessage, error);
  return new Problem("resource-exhausted", error.rawMessage, { cause: error });
}
