import type { IncomingMessage, ServerResponse } from "node:http";
import { ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { toRpcError } from "#api/pipeline/codes.js";
import type { Inbound } from "#api/pipeline/inbound.js";
import { Problem } from "#foundation/errors.js";
import type { ClientOf } from "./client-address.js";
import type { Cors } from "./cors.js";
import { httpStatusOf } from "./http-status.js";
import { toInbound } from "./inbound.js";
import { retryAfterOf, sendJson } from "./send-json.js";
import type { HttpHandler } from "./server.js";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Percent-encoded and without the query. */
  readonly path: string;
  /** Groups of the route's pattern. A group that didn't match is undefined. */
  readonly groups: readonly (string | undefined)[];
  /** The query with its `?`; empty if there is none. */
  readonly query: string;
  /** Headers for every response, as alternating names and values. */
  readonly headers: readonly string[];
  readonly inbound: Inbound;
}

export interface RouteRefusal {
  readonly status: number;
  readonly message: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** The error that was thrown; undefined if the HTTP method is not allowed. */
  readonly error: unknown;
}

export interface HttpRoute {
  /** A complete path, or a pattern that matches complete paths. */
  readonly path: string | RegExp;
  /** By default GET and HEAD. */
  readonly methods?: readonly string[] | "any";
  /** Decides between routes with the same path. By default, the route handles every request. */
  isFor?(request: IncomingMessage): boolean;
  /** Other origins that may read responses; by default none. */
  readonly cors?: Cors;
  /** Headers for every response, as alternating names and values. */
  readonly headers?: readonly string[];
  answer(exchange: Exchange): void | Promise<void>;
  /** Sends an error response; by default `{"detail": "…"}`. */
  refuse?(exchange: Exchange, refusal: RouteRefusal): void;
}

const READ = ["GET", "HEAD"];

/**
 * Serves a request with the first route that matches. Errors become statuses. Defects are logged, and their details
 * hidden.
 */
export function createRoutes(
  { clientOf, log }: { readonly clientOf: ClientOf; readonly log: Logger },
  routes: readonly HttpRoute[],
): HttpHandler {
  async function serve(route: HttpRoute, exchange: Exchange): Promise<void> {
    const { request, response, headers } = exchange;
    const { cors, methods = READ, refuse = refuseInJson } = route;
    const { method = "" } = request;
    const sendRefusal = (refusal: RouteRefusal) => {
      if (response.headersSent) response.destroy();
      else if (!response.destroyed) refuse(exchange, refusal);
    };
    try {
      if (methods === "any" || methods.includes(method)) return await route.answer(exchange);
      const allow = ["Allow", [...methods, ...(cors ? ["OPTIONS"] : [])].join(", ")];
      if (cors && method === "OPTIONS") {
        const preflight = cors.preflight(request.headers.origin, true, methods);
        response.writeHead(204, [...allow, ...preflight, "Cache-Control", "no-store"]).end();
        return;
      }
      const message = `Only ${methods.join(" and ")} ${methods.length === 1 ? "is" : "are"} allowed here.`;
      sendRefusal({ status: 405, message, headers: [...allow, ...headers], error: undefined });
    } catch (error) {
      // Never log the URL: it may contain a verification UUID or a secret.
      if (!(error instanceof ConnectError || error instanceof Problem))
        log.error({ method, err: error }, "request failed");
      const failure = error instanceof ConnectError ? error : toRpcError(error);
      const { rawMessage: message } = failure;
      sendRefusal({
        status: httpStatusOf(failure),
        message,
        headers: [...retryAfterOf(failure), ...headers],
        error,
      });
    }
  }

  return (request, response) => {
    const { url = "" } = request;
    const question = url.indexOf("?");
    const path = question === -1 ? url : url.slice(0, question);
    for (const route of routes) {
      const groups = groupsIn(path, route.path);
      if (!groups || route.isFor?.(request) === false) continue;
      serve(route, {
        request,
        response,
        groups,
        path,
        query: url.slice(path.length),
        headers: [...(route.headers ?? []), ...(route.cors?.answer(request.headers.origin, true) ?? [])],
        inbound: toInbound(request, response, clientOf(request)),
      }).catch((error) => {
        log.error({ method: request.method, err: error }, "request failed");
        response.destroy();
      });
      return true;
    }
    return false;
  };
}

function groupsIn(path: string, pattern: string | RegExp): readonly (string | undefined)[] | undefined {
  if (typeof pattern === "string") return path === pattern ? [] : undefined;
  return pattern.exec(path)?.slice(1);
}

function refuseInJson({ response }: Exchange, { status, message, headers }: RouteRefusal): void {
  sendJson(response, status, { detail: message }, headers);
}

/** @param headers alternating names and values */
export function addHeaders(response: ServerResponse, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? "", headers[at + 1] ?? "");
}
