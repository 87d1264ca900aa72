import type { IncomingMessage, ServerResponse } from "node:http";
import { TextDecoder } from "node:util";
import { type DescMessage, type DescMethod, getOption } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { parseTimeout as parseConnectTimeout } from "@connectrpc/connect/protocol-connect";
import { parseTimeout as parseGrpcTimeout } from "@connectrpc/connect/protocol-grpc";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { Logger } from "pino";
import { checkDays } from "#api/pipeline/check-days.js";
import type { AdmittedCall, Inbound } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { invalid, quoted } from "#foundation/errors.js";
import { Access, access } from "#gen/learning_credentials/options/v1/options_pb.js";
import type { PresentedCredentials } from "#infrastructure/identity/caller.js";
import { bufferedBytesAllowed } from "../http/buffered-bytes.js";
import type { ClientOf } from "../http/client-address.js";
import type { Cors } from "../http/cors.js";
import { untilDrained } from "../http/drained.js";
import { toInbound } from "../http/inbound.js";
import { createRequestBodies, type RequestBodies } from "../http/request-bodies.js";
import type { HttpHandler } from "../http/server.js";
import type { ConnectEndpoint, ConnectOptions } from "./endpoint.js";
import { createEnvelopedEndpoint } from "./enveloped.js";
import { createUnaryEndpoint } from "./unary.js";

/** The endpoints of one method. Connect has a separate protocol for unary methods, and uses envelopes for streams. */
interface Endpoints {
  readonly method: DescMethod;
  readonly unary?: ConnectEndpoint;
  readonly enveloped: ConnectEndpoint;
  readonly isPublic: boolean;
}

/**
 * Serves all services on HTTP/1.1 over gRPC-Web and Connect. Connect supports GET for methods without side effects.
 * @param options.maxMessageBytes maximum size of a request message, by default 4 MiB; a larger message fails with
 * RESOURCE_EXHAUSTED
 */
export function createConnectHandler(options: {
  pipeline: Pipeline;
  cors: Cors;
  clientOf: ClientOf;
  log: Logger;
  maxMessageBytes?: number;
  /** Limits requests that are still arriving. The default depends on the available memory. */
  bodies?: RequestBodies;
  /** Path prefix of all methods; by default none. */
  prefix?: string;
  /** Selects the accepted credentials. The default is `Authorization`, and cookies for GET. */
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
  const connectOptions = {
    acceptCompression: [compressionGzip, compressionBrotli],
    readMaxBytes: maxMessageBytes,
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

/** Returns the presented credentials that the request may use. */
type CredentialsOf = (request: IncomingMessage, presented: PresentedCredentials) => PresentedCredentials;

/**
 * Accepts cookies only for GET, which has no side effects. Browsers also send cookies with requests that another site
 * triggers, so a cookie must not authorise any other method.
 */
const tokenOrCookie: CredentialsOf = ({ method }, presented) =>
  method === "GET" ? presented : { ...presented, cookie: undefined };

interface Parts {
  readonly pipeline: Pipeline;
  readonly clientOf: ClientOf;
  readonly bodies: RequestBodies;
  readonly credentialsOf: CredentialsOf;
}

function createEndpoints(
  method: DescMethod,
  shared: Omit<ConnectOptions, "jsonOptions">,
  log: Logger,
): Endpoints {
  const options: ConnectOptions = {
    ...shared,
    // A misspelt filter must not mean "all", so unknown fields are refused.
    jsonOptions: { ignoreUnknownFields: false, textDecoder: new JsonDecoder(method.input) },
  };
  const enveloped = createEnvelopedEndpoint(method, options, log);
  const isPublic = getOption(method, access) === Access.PUBLIC;
  if (method.methodKind !== "unary") return { method, isPublic, enveloped };
  return { method, isPublic, enveloped, unary: createUnaryEndpoint(method, options, log) };
}

/** Refuses invalid UTF-8, which must not become another text, and days that don't exist. */
class JsonDecoder extends TextDecoder {
  readonly #message: DescMessage;

  constructor(message: DescMessage) {
    super("utf-8", { fatal: true });
    this.#message = message;
  }

  override decode(bytes: Uint8Array): string {
    const text = super.decode(bytes);
    if (/"\d{4}-\d\d-(?:29|30|31)T/.test(text)) checkDays(this.#message, JSON.parse(text));
    return text;
  }
}

function isGrpcWeb(request: IncomingMessage): boolean {
  return request.headers["content-type"]?.startsWith("application/grpc-web") ?? false;
}

async function serve(
  { pipeline, clientOf, bodies, credentialsOf }: Parts,
  method: DescMethod,
  endpoint: ConnectEndpoint,
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
    // The connection must stay open for the response, even if the body isn't read.
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
    const refusal = call.refuse(
      invalid(`Connect-Protocol-Version is ${quoted(version)}; only 1 is supported.`),
    );
    await send(response, await endpoint.refuse(connectRequest, refusal), own, cancellation.signal);
    return;
  }
  try {
    // The body of a client stream has no timeout, because the method's handler determines how fast the body is read.
    const isStream = method.methodKind === "client_streaming";
    const body = isStream ? connectRequest.body : bodies.read(connectRequest.body, call, inbound);
    await send(response, await endpoint.answer({ ...connectRequest, body }, call), own, cancellation.signal);
  } finally {
    call.refuse(invalid("The request is not valid in its protocol.")); // ends a call that connect-node has refused without running it
  }
}

/** @returns the version of the Connect protocol that the request specifies, if it is not supported */
function otherVersion(request: IncomingMessage): string | undefined {
  if (isGrpcWeb(request)) return undefined;
  const named =
    request.method === "GET"
      ? new URL(request.url ?? "", "http://localhost").searchParams.get("connect")?.replace(/^v/, "")
      : request.headers["connect-protocol-version"]?.toString();
  return named === undefined || named === "1" ? undefined : named;
}

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

/** Removes a valid deadline from the headers, because the pipeline enforces it. connect-node refuses invalid ones. */
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
    await untilDrained(response, signal);
    if (signal.aborted) response.destroy(); // for example, the deadline has passed before the client read the data
    if (response.destroyed) throw new Error("the client is gone");
  }
  response.end();
}
