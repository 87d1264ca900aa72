import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from "node:https";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { acceptRequestId } from "#api/pipeline/request-id.js";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import { createSlots } from "#foundation/concurrency/slots.js";
import { listenProblem } from "../listen-address.js";
import { secureContext, type TlsIdentity } from "../tls.js";
import { type ConnectionShares, connectionShares } from "./connection-limits.js";
import { createDefaultHeaders } from "./default-headers.js";
import { createIdleConnections, type IdleConnections } from "./idle-connections.js";
import { securityHeaders } from "./security-headers.js";

export interface HttpEdge {
  readonly port: number;
  /**
   * Starts answering requests, including those that are waiting. The first handler that accepts a request answers it.
   * If none does, the response is 404.
   */
  answer(handlers: readonly HttpHandler[]): void;
  /** Stops accepting connections. Resolves when all clients have disconnected, or after `patienceMs`. */
  retire(patienceMs: number): Promise<void>;
  /** Stops accepting requests, waits for running ones, and terminates the remaining ones after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

/** Returns true if it handles the request. It may respond later. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  /** A client stream over Connect is a single request, so the whole stream must arrive within this time. */
  requestTimeout: 10 * 60_000,
  /**
   * Longer than load balancers keep idle connections. Otherwise, a connection could be closed just when a load balancer
   * uses it.
   */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  /** Checked in `dispatch`, because Node's own response lacks the service's headers. */
  requireHostHeader: false,
} satisfies ServerOptions;

/** Closes a connection whose client hasn't read its response within this time. */
const UNREAD_TIMEOUT_MS = 60_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** How many connections can be opening or closing, in addition to the limit. */
const HANDSHAKES = 500;

const LINGER_MS = 500;
const DISCARD_MS = 5_000;
/** Requests with more headers are refused. Node would silently drop the last headers, which may be those of a proxy. */
const MAX_HEADERS = 100;
const MAX_REQUESTS_PER_CONNECTION = 1_000_000;

interface HttpServerOptions {
  readonly handlers?: readonly HttpHandler[];
  readonly host: string;
  readonly port: number;
  /** undefined disables TLS. */
  readonly tls?: TlsIdentity | undefined;
  /** Whether clients use HTTPS to connect to this server or to a proxy in front of it. */
  readonly isHttps?: boolean;
  /** The setting that error messages about the port name. */
  readonly setting?: "HTTP_PORT" | "ADMIN_PORT";
  /** If all connections are in use, a new connection replaces one that has no request. The default is 1000. */
  readonly maxConnections?: number;
  /** By default, one client may use all connections. */
  readonly shares?: ConnectionShares;
  readonly log: Logger;
}

/**
 * Starts the HTTP/1.1 server.
 * @param options.handlers undefined to let requests wait for `answer`
 * @param options.port 0 picks a free port
 * @throws Problem `failed-precondition` if the server can't listen on the address
 */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpEdge> {
  const {
    host,
    port,
    tls,
    isHttps = false,
    setting = "HTTP_PORT",
    maxConnections = 1000,
    shares = connectionShares(1),
    log,
  } = options;
  const security = securityHeaders(isHttps);
  const addCommonHeaders = createDefaultHeaders(security);
  const inProgress = createSlots<ServerResponse>();
  const connections = createIdleConnections<Socket>(maxConnections, shares.share);
  let { handlers } = options;
  const waiting = new Set<() => void>();
  let isClosing = false;
  let isRetiring = false;

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    addCommonHeaders(response);
    const slot = inProgress.add(response);
    const { socket } = request;
    connections.busy(socket);
    if (isClosing || isRetiring) response.shouldKeepAlive = false;
    const respond = () => {
      if (handlers) dispatch(handlers, request, response, log);
      else answerJson(response, 503, "The service stopped before it was ready.");
    };
    response.once("close", () => {
      waiting.delete(respond);
      inProgress.remove(response, slot);
      connections.idle(socket);
      if (!request.complete) discardRest(request);
      if (isClosing) server.closeIdleConnections();
    });
    request.url = originForm(request.url ?? "");
    if (handlers || isClosing) respond();
    else waiting.add(respond);
  };
  const respondToWaiting = () => {
    for (const respond of waiting) respond();
    waiting.clear();
  };
  const server = tls
    ? createTlsServer({ ...limits, ...tlsOptions(tls), handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, onRequest)
    : createServer(limits, onRequest);
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) =>
    connections.open(socket, shares.clientAt(socket.remoteAddress)),
  );
  limitConnections(server, maxConnections, connections);
  answerInvalidRequests(server, inProgress, addCommonHeaders, security);
  await listen(server, host, port, setting);

  return {
    port: (server.address() as AddressInfo).port,
    answer(given) {
      handlers = given;
      respondToWaiting();
    },
    async retire(patienceMs) {
      isRetiring = true;
      for (const response of inProgress) response.shouldKeepAlive = false;
      // An HTTP server's `close` would also close idle connections, although the next request may be in transit.
      const left = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      await settlesWithin(left, patienceMs);
    },
    close(deadlineMs) {
      isClosing = true;
      for (const response of inProgress) response.shouldKeepAlive = false;
      respondToWaiting();
      return closeWithin(server, deadlineMs);
    },
  };
}

function limitConnections(
  server: Server,
  maxConnections: number,
  connections: IdleConnections<Socket>,
): void {
  server.maxConnections = maxConnections + HANDSHAKES;
  server.setTimeout(UNREAD_TIMEOUT_MS, (socket: Socket) => {
    if (socket.writableLength > 0 || connections.has(socket)) socket.destroy();
  });
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
}

/** Answers requests that Node rejects. */
function answerInvalidRequests(
  server: Server,
  inProgress: Iterable<ServerResponse>,
  addCommonHeaders: (response: ServerResponse) => void,
  security: readonly string[],
): void {
  server.on("checkExpectation", (_, response) => {
    addCommonHeaders(response);
    answerJson(response, 417, "The only accepted expectation is 100-continue.");
  });
  server.on("clientError", (error, socket) => {
    const isAnswering = [...inProgress].some(
      (response) => response.socket === socket && response.headersSent,
    );
    if (isAnswering) socket.destroy();
    else answerClientError(error, socket, security);
  });
}

function closeWithin(server: Server, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), deadlineMs);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
  });
}

/**
 * Discards the rest of an answered request, so that its client can read the response and use the connection again.
 * Stops after a time limit.
 */
function discardRest(request: IncomingMessage): void {
  const cutOff = setTimeout(() => request.destroy(), DISCARD_MS).unref();
  // An iterator that was not read to the end still listens, which would keep the rest from flowing.
  // If there is no listener, removing listeners would stop a request that is already flowing.
  if (request.listenerCount("readable") > 0) request.removeAllListeners("readable");
  request.once("close", () => clearTimeout(cutOff)).resume();
}

/**
 * Converts the request target `http://host/path`, which servers must accept (RFC 9112, 3.2.2), to its path. Ignores the
 * host.
 */
function originForm(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
}

function dispatch(
  handlers: readonly HttpHandler[],
  request: IncomingMessage,
  response: ServerResponse,
  log: Logger,
): void {
  try {
    const lacksHost = request.headers.host === undefined && request.httpVersion === "1.1";
    const { length: namesAndValues } = request.rawHeaders;
    if (namesAndValues > 2 * MAX_HEADERS) answerJson(response, 431, "There are too many request headers.");
    else if (request.httpVersionMajor < 1) answerJson(response, 505, "Use HTTP/1.1 or HTTP/1.0.");
    else if (lacksHost) answerJson(response, 400, "The request is not valid HTTP.");
    else if (!handlers.some((handler) => handler(request, response))) answerJson(response, 404, "Not found.");
  } catch (error) {
    // Never log the URL: it may contain a verification UUID or a secret.
    log.error({ method: request.method, err: error }, "request failed");
    if (response.headersSent) response.destroy();
    else answerJson(response, 500, "Internal server error.");
  }
}

function answerJson(response: ServerResponse, status: number, detail: string): void {
  const body = errorBody(detail);
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response
    .writeHead(status, {
      "content-type": "application/json",
      "content-length": body.length,
      "cache-control": "no-store",
    })
    .end(body);
}

function errorBody(detail: string): Buffer {
  return Buffer.from(JSON.stringify({ detail }));
}

function answerClientError(
  error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer },
  socket: Duplex,
  security: readonly string[],
): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, detail] = clientErrors[error.code ?? ""] ?? [400, "The request is not valid HTTP."];
  const body = errorBody(detail);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
    `X-Request-Id: ${acceptRequestId(undefined)}`,
  ];
  for (let i = 0; i < security.length; i += 2) head.push(`${security[i]}: ${security[i + 1]}`);
  const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
  // A client that is still sending couldn't read the response if the connection were reset immediately.
  socket.end(`${head.join("\r\n")}\r\n\r\n${isHead ? "" : body}`, () => {
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

const clientErrors: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, "The request headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The request is too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

function listen(
  server: Server,
  host: string,
  port: number,
  setting: "HTTP_PORT" | "ADMIN_PORT",
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(listenProblem({ protocol: "HTTP", host, port, setting }, error));
    });
    server.listen(port, host, resolve);
  });
}

/** Clients without a trusted certificate can still authenticate with a token. */
function tlsOptions(tls: TlsIdentity): TlsOptions {
  return { ...secureContext(tls), requestCert: tls.clientCa !== undefined, rejectUnauthorized: false };
}
