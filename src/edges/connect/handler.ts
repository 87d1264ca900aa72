import type { IncomingMessage, ServerResponse } from "node:http";
import { TextDecoder } from "node:util";
import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import type { AdmittedCall } from "#api/pipeline/admitted-call.js";
import type { Inbound } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { invalid } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";
import { Access, access } from "#gen/learning_credentials/options/v1/options_pb.js";
import type { PresentedCredentials } from "#infrastructure/identity/caller.js";
import { bufferedBytesAllowed } from "../http/buffered-bytes.js";
import type { ClientOf } from "../http/client-address.js";
import type { Cors } from "../http/cors.js";
import { drained } from "../http/drained.js";
import { toInbound } from "../http/inbound.js";
import { createRequestBodies, type RequestBodies } from "../http/request-bodies.js";
import type { HttpHandler } from "../http/server.js";
import type { ConnectOptions, Endpoint } from "./endpoint.js";
import { createEnvelopedEndpoint } from "./enveloped.js";
import { createUnaryEndpoint } from "./unary.js";

/**
 * The endpoints of one method. Connect has a protocol of its own for unary methods; all other protocols use
 * envelopes.
 */
interface Endpoints {
  readonly method: DescMethod;
  readonly unary?: Endpoint;
  readonly enveloped: Endpoint;
  /** Whether callers need no credentials. */
  readonly isPublic: boolean;
}

/**
 * Serves every service of the pipeline over Connect (with GET for methods without side effects) and gRPC-Web, on
 * HTTP/1.1.
 * @param options.maxMessageBytes maximum size of a request message; a larger one fails with RESOURCE_EXHAUSTED.
 * Default: 4 MiB
 */
export function createConnectHandler(options: {
  pipeline: Pipeline;
  cors: Cors;
  clientOf: ClientOf;
  log: Logger;
  maxMessageBytes?: number;
  /** Limits requests that are still arriving. Default: a limit that depends on the available memory */
  bodies?: RequestBodies;
  /** Path prefix of all methods. Default: none */
  prefix?: string;
  /** Selects the credentials of a request that are accepted. Default: `Authorization`, and cookies on GET */
  credentialsOf?: CredentialsOf;
}): HttpHandler {
  const {
    pipeline,
    cors,
    clientOf,
    log,
    maxMessageBytes = 4 * 1024 * 1024,
    bodies = createRequestBodies(bufferedBytesAllowed("http")),
    prefix = "",
    credentialsOf = tokenOrCookie,
  } = options;
  const connectOptions: ConnectOptions = {
    acceptCompression: [compressionGzip, compressionBrotli],
    readMaxBytes: maxMessageBytes,
    // A misspelt filter must not mean "all", and invalid UTF-8 must not be read as different text.
    jsonOptions: { ignoreUnknownFields: false, textDecoder: new TextDecoder("utf-8", { fatal: true }) },
  };
  const endpoints = new Map<string, Endpoints>();
  for (const method of pipeline.services.flatMap((service) => service.methods)) {
    endpoints.set(
      `${prefix}/${method.parent.typeName}/${method.name}`,
      createEndpoints(method, connectOptions, log),
    );
  }
  const parts = { pipeline, clientOf, bodies, credentialsOf };

  return (request, response) => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const found = endpoints.get(path);
    if (!found) return false;
    const { method, isPublic } = found;
    const { origin } = request.headers;
    if (request.method === "OPTIONS") {
      const methods = (found.unary ?? found.enveloped).allowedMethods;
      const preflight = cors.preflight(origin, isPublic, methods);
      response.writeHead(204, ["Allow", [...methods, "OPTIONS"].join(", "), ...preflight]).end();
      return true;
    }
    const endpoint = isGrpcWeb(request) ? found.enveloped : (found.unary ?? found.enveloped);
    const headers = ["Cache-Control", "no-store", ...cors.answer(origin, isPublic)];
    serve(parts, method, endpoint, request, response, headers).catch((error) => {
      if (!response.destroyed) log.error({ path, err: error }, "request failed");
      response.destroy();
    });
    return true;
  };
}

/** Selects the credentials that are accepted from those that a request presents. */
type CredentialsOf = (request: IncomingMessage, presented: PresentedCredentials) => PresentedCredentials;

/**
 * Browsers add cookies even to requests that other sites make them send. So cookies are accepted only for methods
 * without side effects.
 */
const tokenOrCookie: CredentialsOf = ({ method }, presented) =>
  method === "GET" ? presented : { ...presented, cookie: undefined };

/** Dependencies that the calls of all methods share. */
interface Parts {
  readonly pipeline: Pipeline;
  readonly clientOf: ClientOf;
  readonly bodies: RequestBodies;
  readonly credentialsOf: CredentialsOf;
}

function createEndpoints(method: DescMethod, options: ConnectOptions, log: Logger): Endpoints {
  const enveloped = createEnvelopedEndpoint(method, options, log);
  const isPublic = getOption(method, access) === Access.PUBLIC;
  if (method.methodKind !== "unary") return { method, isPublic, enveloped };
  return { method, isPublic, enveloped, unary: createUnaryEndpoint(method, options, log) };
}

function isGrpcWeb(request: IncomingMessage): boolean {
  return request.headers["content-type"]?.startsWith("application/grpc-web") ?? false;
}

async function serve(
  { pipeline, clientOf, bodies, credentialsOf }: Parts,
  method: DescMethod,
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  own: readonly string[],
): Promise<void> {
  const { method: httpMethod = "", headers } = request;
  if (!endpoint.allowedMethods.includes(httpMethod)) {
    response.writeHead(405, ["Allow", endpoint.allowedMethods.join(", "), ...own]).end();
    return;
  }
  const contentType = headers["content-type"] ?? "";
  if (httpMethod !== "GET" && !endpoint.supportsContentType(contentType)) {
    const right = method.methodKind === "unary" ? "application/json" : "application/connect+json";
    const detail = `Content-Type is ${quoted(contentType)}: send ${right}, or another type of Connect or gRPC-Web.`;
    response.writeHead(415, ["Content-Type", "application/json", ...own]).end(JSON.stringify({ detail }));
    return;
  }
  const header = toHeaders(request);
  const received = toInbound(request, response, clientOf(request));
  const { cancellation, credentials } = received;
  const inbound: Inbound = {
    ...received,
    credentials: credentialsOf(request, credentials),
    timeoutMs: takeTimeout(header, isGrpcWeb(request)),
  };
  const connectRequest = {
    httpVersion: request.httpVersion,
    method: httpMethod,
    url: `http://localhost${request.url}`,
    header,
    // Leaving the body unread must not close the connection: the response still has to be sent.
    body: request.iterator({ destroyOnReturn: false }),
    signal: cancellation.signal,
  };
  const call = await admit(pipeline, method, inbound);
  if (call instanceof ConnectError) {
    await send(response, await endpoint.refuse(connectRequest, call), own, cancellation.signal);
    return;
  }
  const version = otherVersion(request);
  if (version !== undefined) {
    const refusal = call.refuse(invalid(`The Connect protocol has version 1, not ${quoted(version)}.`));
    await send(response, await endpoint.refuse(connectRequest, refusal), own, cancellation.signal);
    return;
  }
  try {
    // A client stream may take as long as its handler reads it, so its body has no timeout.
    const isStream = method.methodKind === "client_streaming";
    const body = isStream ? connectRequest.body : bodies.read(connectRequest.body, call, inbound);
    await send(response, await endpoint.answer({ ...connectRequest, body }, call), own, cancellation.signal);
  } finally {
    call.refuse(invalid("The request does not follow its protocol.")); // If the call didn't run, connect-node has already explained to the client what is wrong.
  }
}

/** @returns the version of the Connect protocol that a request names, if it isn't the one we support */
function otherVersion(request: IncomingMessage): string | undefined {
  if (isGrpcWeb(request)) return undefined;
  const named =
    request.method === "GET"
      ? new URL(request.url ?? "", "http://localhost").searchParams.get("connect")?.replace(/^v/, "")
      : request.headers["connect-protocol-version"]?.toString();
  return named === undefined || named === "1" ? undefined : named;
}

/** @returns the admitted call, or the error if it is refused */
async function admit(
  pipeline: Pipeline,
  method: DescMethod,
  inbound: Inbound,
): Promise<AdmittedCall | ConnectError> {
  try {
    return await pipeline.admit(method, inbound);
  } catch (error) {
    return ConnectError.from(error);
  }
}

function toHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    for (const each of value ?? []) headers.append(name, each);
  }
  return headers;
}

/**
 * Removes the deadline from the headers, since the pipeline enforces it. A malformed deadline is left there, so that
 * connect-node refuses it.
 */
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
    if (response.write(chunk)) continue;
    await drained(response, signal);
    if (signal.aborted) response.destroy(); // For example, a client that reads nothing until its deadline.
    if (response.destroyed) throw new Error("the client is gone");
  }
  response.end();
}
