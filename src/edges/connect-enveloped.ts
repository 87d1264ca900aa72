import type { DescMethod, Message } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type MethodImplSpec,
} from "@connectrpc/connect";
import { createUniversalMethodHandler } from "@connectrpc/connect/protocol";
import { createHandlerFactory as createConnectFactory } from "@connectrpc/connect/protocol-connect";
import { createHandlerFactory as createGrpcWebFactory } from "@connectrpc/connect/protocol-grpc-web";
import type { Logger } from "pino";
import type { Bound, Inbound, Pipeline } from "../api/pipeline.js";
import { invalid, Problem } from "../errors.js";
import { checkEncodable } from "./connect-encodable.js";
import type { ConnectOptions, Endpoint } from "./connect-endpoint.js";

const inboundKey = createContextKey<Inbound | undefined>(undefined);

/**
 * A method by the protocols that wrap each message in an envelope: gRPC-Web, and Connect for streams. They look the same
 * for every kind of method, so each is given to connect-node as one that streams both ways: then connect-node parses a
 * message when the pipeline asks for it, not before it has authenticated the caller.
 */
export function createEnvelopedEndpoint(
  pipeline: Pipeline,
  method: DescMethod,
  options: ConnectOptions,
  log: Logger,
): Endpoint {
  const grpcWeb = createGrpcWebFactory(options);
  const protocols = method.methodKind === "unary" ? [grpcWeb] : [grpcWeb, createConnectFactory(options)];

  async function* impl(requests: AsyncIterable<Message>, context: HandlerContext): AsyncIterable<Message> {
    const inbound = context.values.get(inboundKey);
    if (!inbound) throw new Error("a call without what the edge received");
    for await (const response of call(pipeline, method, inbound, requests)) {
      checkEncodable(method, response, context, log);
      yield response;
    }
  }
  const handler = createUniversalMethodHandler(
    { kind: "bidi_streaming", method, impl } as unknown as MethodImplSpec,
    protocols,
  );
  return {
    allowedMethods: ["POST"],
    supportsContentType: handler.supportedContentType,
    answer: (request, inbound) =>
      handler({ ...request, contextValues: createContextValues().set(inboundKey, inbound) }),
  };
}

async function* call(
  pipeline: Pipeline,
  method: DescMethod,
  inbound: Inbound,
  requests: AsyncIterable<Message>,
): AsyncIterable<Message> {
  switch (method.methodKind) {
    case "unary":
      yield await pipeline.unary(method, inbound, () => bindOne(requests));
      break;
    case "server_streaming":
      yield* pipeline.serverStream(method, inbound, () => bindOne(requests));
      break;
    case "client_streaming":
      yield await pipeline.clientStream(method, inbound, bindEach(requests));
      break;
    case "bidi_streaming":
      throw new Error(`${method.name} streams both ways: no edge can serve that`);
  }
}

async function bindOne(requests: AsyncIterable<Message>): Promise<Bound> {
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

async function* bindEach(requests: AsyncIterable<Message>): AsyncIterable<() => Bound> {
  try {
    for await (const request of requests) yield () => ({ request });
  } catch (error) {
    yield () => ({ problem: unreadable(error) });
  }
}

/** connect-node says what is wrong with a message in a `ConnectError`; anything else comes from the connection. */
function unreadable(error: unknown): Problem {
  if (!(error instanceof ConnectError))
    return new Problem("cancelled", "The request was cut off.", { cause: error });
  if (error.code !== Code.ResourceExhausted) return invalid(error.rawMessage, error);
  return new Problem("resource-exhausted", error.rawMessage, { cause: error });
}
