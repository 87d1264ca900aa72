import type { IncomingMessage, ServerResponse } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { AdmittedCall, Inbound } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { Problem } from "#foundation/errors.js";
import { HEADER_PAYLOAD_COOKIE } from "#infrastructure/identity/presented-token.js";
import { basePathOf } from "../http/base-path.js";
import { bufferedBytesAllowed } from "../http/buffered-bytes.js";
import type { ClientOf } from "../http/client-address.js";
import type { Cors } from "../http/cors.js";
import { httpStatusOf } from "../http/http-status.js";
import { toInbound } from "../http/inbound.js";
import { createRequestBodies, type RequestBodies } from "../http/request-bodies.js";
import { JSON_TYPE, sendAnswer } from "../http/send-answer.js";
import { retryAfterOf } from "../http/send-json.js";
import type { HttpHandler } from "../http/server.js";
import { createErrorWriter } from "./error-body.js";
import { COOKIES_REFUSED, mayUseCookies, readEmptyBody } from "./post.js";
import { restMethods } from "./rest-methods.js";
import { createRoute, methodName, type RestRoute } from "./route.js";
import { createRouter, type Match } from "./router.js";

interface RestDeps {
  readonly pipeline: Pipeline;
  readonly cors: Cors;
  readonly clientOf: ClientOf;
  /** Limits requests that are still arriving. The default depends on the available memory. */
  readonly bodies?: RequestBodies;
  /**
   * How long a content delivery network may serve a public response without revalidating it, in seconds. The default is
   * 0.
   */
  readonly publicCacheSeconds?: number;
  /** Version of the plug-in that some routes imitate; by default none. */
  readonly compatibility?: string | undefined;
  readonly publicUrl: string;
}

/** All paths with this prefix are handled here. Unknown ones get 404. */
const PREFIX = "/api/learning_credentials/";

/** In bytes. A longer URL gets 414. */
const MAX_URL_LENGTH = 8 * 1024;

/** In bytes. The body of a GET is ignored. After a longer body, or one of unknown length, the connection is closed. */
const MAX_IGNORED_BODY = 64 * 1024;

/**
 * Serves the methods with a `google.api.http` annotation as plain HTTP with JSON.
 *
 * Canonical URLs end in `/`, which the annotations omit. Other URLs are redirected. A path supports one HTTP method and
 * OPTIONS. If the method is GET, the path also supports HEAD.
 * @throws Error that names the method if its annotation is invalid, unsupported, or used by another method
 */
export function createRestFront(deps: RestDeps): HttpHandler {
  const { pipeline, cors, publicCacheSeconds = 0 } = deps;
  const context = {
    ...deps,
    bodies: deps.bodies ?? createRequestBodies(bufferedBytesAllowed("http")),
    publicHeaders: publicCacheSeconds === 0 ? REVALIDATE_HEADERS : cachedByNetworks(publicCacheSeconds),
  };
  const routes = restMethods(pipeline.services, deps.compatibility).map((method) =>
    createRoute(method, PREFIX),
  );
  const router = createRouter(routes, (route) => methodName(route.method));
  const writeError = createErrorWriter();

  return (request, response) => {
    const url = request.url ?? "";
    if (!url.startsWith(PREFIX)) return false;
    const question = url.indexOf("?");
    const path = question === -1 ? url : url.slice(0, question);
    const isCanonical = path.endsWith("/");
    const match = router.match(isCanonical ? path.slice(0, -1) : path);

    const isPublic = match?.route.isPublic ?? false;
    const shared = cors.answer(request.headers.origin, isPublic);
    const { allowed, httpMethod } = match?.route ?? NO_ROUTE;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const isAllowed = httpMethod === "GET" ? isRead : request.method === httpMethod;
    const isCalled = isAllowed && isCanonical && url.length <= MAX_URL_LENGTH;
    if (!isCalled || httpMethod === "GET") discardBody(request, response);

    if (url.length > MAX_URL_LENGTH) {
      const text = `The URL is ${url.length} bytes long; at most ${MAX_URL_LENGTH} are accepted.`;
      send(response, 414, shared, (match?.route.writeError ?? writeError)(text));
    } else if (!match) {
      send(response, 404, shared, writeError("Not found."));
    } else if (request.method === "OPTIONS") {
      const preflight = cors.preflight(request.headers.origin, isPublic, withoutOptions(allowed));
      response.writeHead(204, ["Allow", allowed.join(", "), ...preflight, ...NO_STORE_HEADERS]).end();
    } else if (!isAllowed) {
      const text = `Method "${request.method}" is not allowed; allowed are ${allowed.join(", ")}.`;
      send(response, 405, ["Allow", allowed.join(", "), ...shared], match.route.writeError(text));
    } else if (!isCanonical) {
      const location = `${basePathOf(deps.publicUrl)}${path}/${url.slice(path.length)}`;
      const headers = ["Location", location, "Content-Length", "0", ...shared, ...NO_STORE_HEADERS];
      // 308 makes clients keep the HTTP method.
      response.writeHead(isRead ? 301 : 308, headers).end();
    } else {
      void call(context, match, url.slice(path.length + 1), request, response, shared);
    }
    return true;
  };
}

interface Context extends RestDeps {
  readonly bodies: RequestBodies;
  readonly publicHeaders: readonly string[];
}

const NO_ROUTE = { allowed: [], httpMethod: "GET" } as const;

function withoutOptions(allowed: readonly string[]): readonly string[] {
  return allowed.filter((method) => method !== "OPTIONS");
}

/** Never rejects. */
async function call(
  { pipeline, clientOf, cors, bodies, publicHeaders }: Context,
  { route, segments }: Match<RestRoute>,
  query: string,
  request: IncomingMessage,
  response: ServerResponse,
  shared: readonly string[],
): Promise<void> {
  const { method, isPublic, bind, writeResponse, status } = route;
  const isPost = route.httpMethod === "POST";
  const received = toInbound(request, response, clientOf(request));
  const refusesCookies = isPost && !mayUseCookies(request, cors);
  const inbound = refusesCookies
    ? { ...received, credentials: { ...received.credentials, cookie: undefined } }
    : received;
  try {
    const admitting = pipeline.admit(method, inbound);
    const admitted = admitting instanceof Promise ? await admitting : admitting;
    const problem = isPost ? await bodyProblem(request, admitted, inbound, bodies) : undefined;
    const bound = bind(segments, query);
    const message = await admitted.unary(problem ? { ...bound, problem: bound.problem ?? problem } : bound);
    const body = writeResponse(message);
    const headers = isPublic ? [...publicHeaders, ...shared] : [...PERSONAL_HEADERS, ...shared];
    sendAnswer(response, { status, contentType: JSON_TYPE, headers, body, isConditional: isPublic });
  } catch (error) {
    if (isPost) discardBody(request, response);
    const failure = error instanceof ConnectError ? error : fault(error);
    const headers = [...retryAfterOf(failure), ...shared];
    const isAboutCookies =
      refusesCookies && failure.code === Code.Unauthenticated && hadTokenCookie(received);
    send(response, httpStatusOf(failure), headers, errorBody(route, failure, isAboutCookies));
  }
}

/** @returns what is wrong with the body of a POST, if anything; reported only after access has been checked */
async function bodyProblem(
  request: IncomingMessage,
  admitted: AdmittedCall,
  inbound: Inbound,
  bodies: RequestBodies,
): Promise<Problem | undefined> {
  try {
    await readEmptyBody(request, admitted, inbound, bodies);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    const { cause } = error as ConnectError;
    if (cause instanceof Problem) return cause;
    throw error;
  }
}

function hadTokenCookie({ credentials: { authorization, cookie } }: Inbound): boolean {
  return authorization === undefined && (cookie?.includes(`${HEADER_PAYLOAD_COOKIE}=`) ?? false);
}

function errorBody(
  { writeError, writeConflict }: RestRoute,
  failure: ConnectError,
  isAboutCookies: boolean,
): string {
  if (isAboutCookies) return writeError(COOKIES_REFUSED);
  const facts = failure.cause instanceof Problem ? failure.cause.facts : undefined;
  if (failure.code === Code.AlreadyExists && facts) return writeConflict(failure.rawMessage, facts);
  return writeError(failure.rawMessage);
}

/** Returns the error for a response that JSON can't represent. Such a response is a defect of the handler. */
function fault(error: unknown): ConnectError {
  process.emitWarning(error as Error);
  return new ConnectError("internal error", Code.Internal);
}

/**
 * Caches must revalidate a public response each time. Otherwise, a cache could hide that a credential was invalidated.
 */
const REVALIDATE_HEADERS = ["Cache-Control", "no-cache"];

/** Only content delivery networks that support RFC 9213 cache the response. Browsers always revalidate. */
function cachedByNetworks(seconds: number): readonly string[] {
  return [...REVALIDATE_HEADERS, "CDN-Cache-Control", `max-age=${seconds}`];
}

const NO_STORE_HEADERS = ["Cache-Control", "no-store"];

/** Grades and links to files must not be cached. If a cache stores them anyway, it must keep callers apart. */
const PERSONAL_HEADERS = [...NO_STORE_HEADERS, "Vary", "Authorization, Cookie"];

function send(response: ServerResponse, status: number, headers: readonly string[], body: string): void {
  sendAnswer(response, { status, contentType: JSON_TYPE, headers: [...NO_STORE_HEADERS, ...headers], body });
}

/** Discards a short body. A longer one closes the connection, so a client can't send endlessly. */
function discardBody(request: IncomingMessage, response: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (length === undefined && encoding === undefined) return;
  request.resume();
  if (encoding !== undefined || Number(length) > MAX_IGNORED_BODY) response.shouldKeepAlive = false;
}
