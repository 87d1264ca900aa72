import type { IncomingMessage, ServerResponse } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Inbound, Pipeline } from "../../api/pipeline.js";
import { createErrorWriter } from "./error-body.js";
import { httpStatus } from "./http-status.js";
import { createRoute, methodName, type Route } from "./route.js";
import { createRouter, type Match } from "./router.js";

/** The REST door: the methods that carry a `google.api.http` annotation, as plain HTTP with JSON. */
export interface RestFront {
  /** Answers the request when its path belongs to a REST route; false when it does not. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Every path under it is ours: what no route matches is answered 404. */
const PREFIX = "/api/learning_credentials/";

const ALLOW = "GET, HEAD, OPTIONS";

/** A longer URL, in bytes, is answered 414. */
const MAX_URL_LENGTH = 8 * 1024;

/** A body is of no use here. A longer one, in bytes, or one of unknown length, costs the client its connection. */
const MAX_IGNORED_BODY = 64 * 1024;

/**
 * Builds the REST door over the pipeline's services.
 *
 * Canonical URLs end in `/`, which the annotations leave out; the form without it is redirected. Other methods than GET,
 * HEAD and OPTIONS are answered 405.
 * @throws Error naming the method whose annotation is wrong, unsupported, or taken by another method
 */
export function createRestFront(pipeline: Pipeline): RestFront {
  const methods = pipeline.services.flatMap((service) => service.methods);
  const routes = methods.map((method) => createRoute(method, PREFIX)).filter((route) => route !== undefined);
  const router = createRouter(routes, (route) => methodName(route.method));
  const writeError = createErrorWriter();

  return {
    handle(request, response) {
      const url = request.url ?? "";
      if (!url.startsWith(PREFIX)) return false;
      discardBody(request, response);
      const question = url.indexOf("?");
      const path = question === -1 ? url : url.slice(0, question);
      const isCanonical = path.endsWith("/");
      const match = router.match(isCanonical ? path.slice(0, -1) : path);

      if (url.length > MAX_URL_LENGTH) {
        const text = `The URL is ${url.length} bytes long; at most ${MAX_URL_LENGTH} are accepted.`;
        send(response, 414, (match?.route.writeError ?? writeError)(text));
      } else if (!match) {
        send(response, 404, writeError("Not found."));
      } else if (request.method !== "GET" && request.method !== "HEAD") {
        answerOtherMethod(request, response, match.route);
      } else if (!isCanonical) {
        const location = `${path}/${url.slice(path.length)}`;
        response.writeHead(301, ["Location", location, "Content-Length", "0", ...CONSTANT_HEADERS]).end();
      } else {
        void call(pipeline, match, url.slice(path.length + 1), request, response);
      }
      return true;
    },
  };
}

function answerOtherMethod(
  { method }: IncomingMessage,
  response: ServerResponse,
  { writeError }: Route,
): void {
  response.setHeader("Allow", ALLOW);
  if (method === "OPTIONS") response.writeHead(204, [...CONSTANT_HEADERS]).end();
  else send(response, 405, writeError(`Method "${method}" is not allowed; allowed are ${ALLOW}.`));
}

/** Runs the call and answers with what came of it. Never rejects. */
async function call(
  pipeline: Pipeline,
  { route: { method, bind, writeResponse, writeError }, segments }: Match<Route>,
  query: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const inbound = receive(request, response);
  try {
    const message = await pipeline.unary(method, inbound, () => bind(segments, query));
    send(response, 200, writeResponse(message));
  } catch (error) {
    const failure = error instanceof ConnectError ? error : fault(error);
    send(response, httpStatus[failure.code], writeError(failure.rawMessage));
  }
}

function receive(request: IncomingMessage, response: ServerResponse): Inbound {
  const { authorization, cookie, "x-request-id": requestId } = request.headers;
  const abort = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) abort.abort();
  });
  return {
    credentials: { authorization, cookie },
    abort,
    requestId: typeof requestId === "string" ? requestId : undefined,
  };
}

/** A response that JSON can't express is a bug of a handler. The call is logged already, so the process warns of it. */
function fault(error: unknown): ConnectError {
  process.emitWarning(error as Error);
  return new ConnectError("internal error", Code.Internal);
}

/** What every answer says, as a flat list of names and values: so `writeHead` takes it fastest. */
const CONSTANT_HEADERS = ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"] as const;

/** Answers, unless the client is gone. Node leaves the body out on HEAD. */
function send(response: ServerResponse, status: number, body: string): void {
  if (response.destroyed || response.headersSent) return;
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, [
    "Content-Type",
    "application/json",
    "Content-Length",
    length,
    ...CONSTANT_HEADERS,
  ]);
  response.end(body);
}

/** Lets a short body pass unread; the connection ends with the answer to any other, so that nobody sends without end. */
function discardBody(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (length === undefined && encoding === undefined) return;
  request.resume();
  if (encoding !== undefined || Number(length) > MAX_IGNORED_BODY) response.shouldKeepAlive = false;
}
