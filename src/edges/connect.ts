import type { IncomingMessage, ServerResponse } from "node:http";
import { TextDecoder } from "node:util";
import { type DescMethod, getOption } from "@bufbuild/protobuf";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import { Access, access } from "../../gen/learning_credentials/options/v1/options_pb.js";
import type { Inbound, Pipeline } from "../api/pipeline.js";
import type { ClientOf } from "./client.js";
import type { ConnectOptions, Endpoint } from "./connect-endpoint.js";
import { createEnvelopedEndpoint } from "./connect-enveloped.js";
import { createUnaryEndpoint } from "./connect-unary.js";
import type { Cors } from "./cors.js";
import { receive } from "./inbound.js";

/** The services by Connect (with GET for methods without side effects) and gRPC-Web, over HTTP/1.1. */
export interface ConnectHandler {
  /** Takes the request when its path is that of a method; tells whether it did. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The endpoints of one method: Connect has a protocol of its own for unary methods, all others wrap messages in envelopes. */
interface Endpoints {
  readonly unary?: Endpoint;
  readonly enveloped: Endpoint;
  /** Anybody may call it. */
  readonly isPublic: boolean;
}

/**
 * Mounts every service of the pipeline.
 * @param options.maxMessageBytes largest request message; a larger one is RESOURCE_EXHAUSTED. Default: 4 MiB
 */
export function createConnectHandler(options: {
  pipeline: Pipeline;
  cors: Cors;
  clientOf: ClientOf;
  log: Logger;
  maxMessageBytes?: number;
}): ConnectHandler {
  const { pipeline, cors, clientOf, log, maxMessageBytes = 4 * 1024 * 1024 } = options;
  const connectOptions: ConnectOptions = {
    acceptCompression: [compressionGzip, compressionBrotli],
    readMaxBytes: maxMessageBytes,
    // A misspelt filter must not mean "all", nor invalid UTF-8 something else.
    jsonOptions: { ignoreUnknownFields: false, textDecoder: new TextDecoder("utf-8", { fatal: true }) },
  };
  const endpoints = new Map<string, Endpoints>();
  for (const method of pipeline.services.flatMap((service) => service.methods)) {
    endpoints.set(`/${method.parent.typeName}/${method.name}`, mount(pipeline, method, connectOptions, log));
  }

  return {
    handle(request, response) {
      const path = request.url?.split("?", 1)[0] ?? "";
      const found = endpoints.get(path);
      if (!found) return false;
      const { isPublic } = found;
      const { origin } = request.headers;
      if (request.method === "OPTIONS") {
        const methods = (found.unary ?? found.enveloped).allowedMethods;
        const preflight = cors.preflight(origin, isPublic, methods);
        response.writeHead(204, ["Allow", [...methods, "OPTIONS"].join(", "), ...preflight]).end();
        return true;
      }
      const endpoint = isGrpcWeb(request) ? found.enveloped : (found.unary ?? found.enveloped);
      const client = isPublic ? clientOf(request) : undefined;
      const headers = ["Cache-Control", "no-store", ...cors.answer(origin, isPublic)];
      serve(endpoint, request, response, client, headers).catch((error) => {
        if (!response.destroyed) log.error({ path, err: error }, "request failed");
        response.destroy();
      });
      return true;
    },
  };
}

function mount(pipeline: Pipeline, method: DescMethod, options: ConnectOptions, log: Logger): Endpoints {
  const enveloped = createEnvelopedEndpoint(pipeline, method, options, log);
  const isPublic = getOption(method, access) === Access.PUBLIC;
  if (method.methodKind !== "unary") return { isPublic, enveloped };
  return { isPublic, enveloped, unary: createUnaryEndpoint(pipeline, method, options, log) };
}

function isGrpcWeb(request: IncomingMessage): boolean {
  return request.headers["content-type"]?.startsWith("application/grpc-web") ?? false;
}

async function serve(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  client: string | undefined,
  own: readonly string[],
): Promise<void> {
  const { method = "", headers } = request;
  if (!endpoint.allowedMethods.includes(method)) {
    response.writeHead(405, ["Allow", endpoint.allowedMethods.join(", "), ...own]).end();
    return;
  }
  if (method !== "GET" && !endpoint.supportsContentType(headers["content-type"] ?? "")) {
    response.writeHead(415, [...own]).end();
    return;
  }
  const header = toHeaders(request);
  const received = receive(request, response, client);
  const { abort, credentials } = received;
  const inbound: Inbound = {
    ...received,
    // A browser adds its cookies to whatever a foreign page makes it post: only what changes nothing accepts them.
    credentials: method === "GET" ? credentials : { authorization: credentials.authorization },
    timeoutMs: takeTimeout(header, isGrpcWeb(request)),
  };
  const answer = await endpoint.answer(
    {
      httpVersion: request.httpVersion,
      method,
      url: `http://localhost${request.url}`,
      header,
      // Leaving the body unread must leave the connection open, for the answer.
      body: request.iterator({ destroyOnReturn: false }),
      signal: abort.signal,
    },
    inbound,
  );
  await send(response, answer, own, abort.signal);
}

function toHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    for (const each of value ?? []) headers.append(name, each);
  }
  return headers;
}

/** Takes the deadline out of the headers: the pipeline keeps it. A malformed one stays, for connect-node to refuse. */
function takeTimeout(header: Headers, grpcWeb: boolean): number | undefined {
  const name = grpcWeb ? "grpc-timeout" : "connect-timeout-ms";
  const parse = grpcWeb ? parseGrpcTimeout : parseConnectTimeout;
  const { timeoutMs, error } = parse(header.get(name), Number.MAX_SAFE_INTEGER);
  if (error) return undefined;
  header.delete(name);
  return timeoutMs;
}

async function send(
  response: ServerResponse,
  answer: UniversalServerResponse,
  own: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(answer.status, [...[...(answer.header ?? [])].flat(), ...own]);
  for await (const chunk of answer.body ?? []) {
    if (!response.write(chunk)) await drained(response, signal);
  }
  response.end();
}

/** Resolves when the response takes more; rejects when the caller is gone, or is sent away because he reads nothing. */
function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const sendAway = () => void response.destroy();
    if (signal.aborted) sendAway();
    if (response.destroyed) return reject(new Error("the caller is gone"));
    const settle = (finish: () => void) => () => {
      response.off("drain", onDrain);
      response.off("close", onClose);
      signal.removeEventListener("abort", sendAway);
      finish();
    };
    const onDrain = settle(resolve);
    const onClose = settle(() => reject(new Error("the caller is gone")));
    response.on("drain", onDrain);
    response.on("close", onClose);
    signal.addEventListener("abort", sendAway);
  });
}
