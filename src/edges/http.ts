import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { listenProblem } from "./listen-problem.js";

/** The HTTP door, open. */
export interface HttpEdge {
  readonly port: number;
  /** Takes no more requests and waits for those under way, the rest of which it cuts off after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

/** Takes a request if it is his: then he answers it, now or later, and returns true. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  /** A client stream over Connect is one request: it has this long to arrive. */
  requestTimeout: 10 * 60_000,
  /** Longer than the load balancers in front keep a connection idle, so that it is never us who close one in use. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
} satisfies ServerOptions;

const LINGER_MS = 500;
const MAX_HEADERS = 100;
const MAX_REQUESTS_PER_CONNECTION = 1_000_000;

/**
 * Opens the HTTP/1.1 door. A request goes to the first handler that takes it; one that none takes is a 404.
 * @param options.port 0 picks a free one
 * @throws Problem `failed-precondition` when it can't listen there
 */
export async function createHttpServer(options: {
  handlers: readonly HttpHandler[];
  host: string;
  port: number;
  log: Logger;
}): Promise<HttpEdge> {
  const { handlers, host, port, log } = options;
  const underWay = new Set<ServerResponse>();
  let isClosing = false;

  const server = createServer(limits, (request, response) => {
    underWay.add(response);
    if (isClosing) response.shouldKeepAlive = false;
    response.once("close", () => {
      underWay.delete(response);
      if (isClosing) server.closeIdleConnections();
    });
    request.url = originForm(request.url ?? "");
    dispatch(handlers, request, response, log);
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
  server.on("clientError", (error, socket) => {
    const isAnswering = [...underWay].some((response) => response.socket === socket && response.headersSent);
    if (isAnswering) socket.destroy();
    else answerClientError(error, socket);
  });
  await listen(server, host, port);

  return {
    port: (server.address() as AddressInfo).port,
    close(deadlineMs) {
      isClosing = true;
      for (const response of underWay) response.shouldKeepAlive = false;
      return new Promise((resolve) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), deadlineMs);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
      });
    },
  };
}

/** Servers accept `GET http://host/path`, too (RFC 9112, 3.2.2); whichever host it names, it has come to us. */
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
    for (const handler of handlers) {
      if (handler(request, response)) return;
    }
    answerJson(response, 404, "Not found.");
  } catch (error) {
    // Not the URL: it may hold a verification UUID, or a link that is a secret.
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
      "x-content-type-options": "nosniff",
    })
    .end(body);
}

function errorBody(detail: string): Buffer {
  return Buffer.from(JSON.stringify({ detail }));
}

/** Answers what node could not even read as a request. */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
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
  ];
  // Closing at once would reset the connection under a client that is still sending, before it reads this.
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => {
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

const clientErrors: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, "The request headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The request is too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(listenProblem({ protocol: "HTTP", host, port, setting: "HTTP_PORT" }, error));
    });
    server.listen(port, host, resolve);
  });
}
