import type { IncomingMessage, ServerResponse } from "node:http";
import { TextDecoder } from "node:util";
import type { DescMethod } from "@bufbuild/protobuf";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import type { Inbound, Pipeline } from "../api/pipeline.js";
import { Problem } from "../errors.js";
import type { ConnectOptions, Endpoint } from "./connect-endpoint.js";
import { createEnvelopedEndpoint } from "./connect-enveloped.js";
import { createUnaryEndpoint } from "./connect-unary.js";

/** The services by Connect (with GET for methods without side effects) and gRPC-Web, over HTTP/1.1. */
export interface ConnectHandler {
  /** Takes the request when its path is that of a method; tells whether it did. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The endpoints of one method: Connect has a protocol of its own for unary methods, all others wrap messages in envelopes. */
interface Endpoints {
  readonly unary?: Endpoint;
  readonly enveloped: Endpoint;
}

/**
 * Mounts every service of the pipeline.
 * @param options.maxMessageBytes largest request message; a larger one is RESOURCE_EXHAUSTED. Default: 4 MiB
 */
export function createConnectHandler(options: {
  pipeline: Pipeline;
  log: Logger;
  maxMessageBytes?: number;
}): ConnectHandler {
  const { pipeline, log, maxMessageBytes = 4 * 1024 * 1024 } = options;
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
      const endpoint = isGrpcWeb(request) ? found.enveloped : (found.unary ?? found.enveloped);
      serve(endpoint, request, response).catch((error) => {
        if (!response.destroyed) log.error({ path, err: error }, "request failed");
        response.destroy();
      });
      return true;
    },
  };
}

function mount(pipeline: Pipeline, method: DescMethod, options: ConnectOptions, log: Logger): Endpoints {
  const enveloped = createEnvelopedEndpoint(pipeline, method, options, log);
  if (method.methodKind !== "unary") return { enveloped };
  return { enveloped, unary: createUnaryEndpoint(pipeline, method, options, log) };
}

function isGrpcWeb(request: IncomingMessage): boolean {
  return request.headers["content-type"]?.startsWith("application/grpc-web") ?? false;
}

async function serve(endpoint: Endpoint, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "", headers } = request;
  if (!endpoint.allowedMethods.includes(method)) {
    response.writeHead(405, { allow: endpoint.allowedMethods.join(", ") }).end();
    return;
  }
  if (method !== "GET" && !endpoint.supportsContentType(headers["content-type"] ?? "")) {
    response.writeHead(415).end();
    return;
  }
  const abort = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) abort.abort(new Problem("cancelled", "The caller is gone."));
  });
  const header = toHeaders(request);
  const inbound: Inbound = {
    // A browser adds its cookies to whatever a foreign page makes it post: only what changes nothing accepts them.
    credentials: {
      authorization: headers.authorization,
      cookie: method === "GET" ? headers.cookie : undefined,
    },
    abort,
    timeoutMs: takeTimeout(header, isGrpcWeb(request)),
    requestId: header.get("x-request-id") ?? undefined,
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
  await send(response, answer);
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

async function send(response: ServerResponse, answer: UniversalServerResponse): Promise<void> {
  response.statusCode = answer.status;
  answer.header?.forEach((value, name) => {
    response.setHeader(name, value);
  });
  for await (const chunk of answer.body ?? []) {
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

/** Resolves when the response takes more; rejects when the caller is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(new Error("the caller is gone"));
    const settle = (finish: () => void) => () => {
      response.off("drain", onDrain);
      response.off("close", onClose);
      finish();
    };
    const onDrain = settle(resolve);
    const onClose = settle(() => reject(new Error("the caller is gone")));
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}
