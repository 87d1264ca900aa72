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

/** A request as its route receives it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Still percent-encoded, without the query. */
  readonly path: string;
  /** The groups that the route's pattern matched; undefined for a group that is not in the path. */
  readonly groups: readonly (string | undefined)[];
  /** The query including its `?`; empty if there is none. */
  readonly query: string;
  /** Headers to include in every response, as alternating names and values. */
  readonly headers: readonly string[];
  /** The call to pass to the pipeline. */
  readonly inbound: Inbound;
}

/** The error response for a failed request. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** undefined if the HTTP method is not allowed */
  readonly error: unknown;
}

/** A path that the HTTP server serves. */
export interface HttpRoute {
  /** The complete path, or a pattern that matches all of it. */
  readonly path: string | RegExp;
  /** Default: GET and HEAD */
  readonly methods?: readonly string[] | "any";
  /** Whether this route handles the request, if several routes have the same path. Default: always */
  isFor?(request: IncomingMessage): boolean;
  /** Allows pages of other origins to read responses. Default: browsers let no other origin read them */
  readonly cors?: Cors;
  /** Headers of every response, as alternating names and values. */
  readonly headers?: readonly string[];
  /** Responds to the request. An error that it throws becomes an error response. */
  answer(exchange: Exchange): void | Promise<void>;
  /** Sends an error response. Default: `{"detail": "…"}` */
  refuse?(exchange: Exchange, refusal: Refusal): void;
}

const READ = ["GET", "HEAD"];

/**
 * Handles the requests for these routes; the first route that matches is used. HTTP methods that it doesn't support get
 * 405 with `Allow`. Errors are mapped to statuses as everywhere; defects are logged and masked.
 */
export function createRoutes(
  { clientOf, log }: { readonly clientOf: ClientOf; readonly log: Logger },
  routes: readonly HttpRoute[],
): HttpHandler {
  async function serve(route: HttpRoute, exchange: Exchange): Promise<void> {
    const { request, response, headers } = exchange;
    const { cors, methods = READ, refuse = refuseInJson } = route;
    const { method = "" } = request;
    const tell = (refusal: Refusal) => {
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
      tell({ status: 405, message, headers: [...allow, ...headers], error: undefined });
    } catch (error) {
      // The URL is not logged: it may contain a verification UUID or a secret.
      if (!(error instanceof ConnectError || error instanceof Problem))
        log.error({ method, err: error }, "request failed");
      const failure = error instanceof ConnectError ? error : toRpcError(error);
      const { rawMessage: message } = failure;
      tell({
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

/** @returns undefined if the path doesn't match */
function groupsIn(path: string, pattern: string | RegExp): readonly (string | undefined)[] | undefined {
  if (typeof pattern === "string") return path === pattern ? [] : undefined;
  return pattern.exec(path)?.slice(1);
}

function refuseInJson({ response }: Exchange, { status, message, headers }: Refusal): void {
  sendJson(response, status, { detail: message }, headers);
}

/** Adds headers to a response that has not been started. @param headers alternating names and values */
export function addHeaders(response: ServerResponse, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? "", headers[at + 1] ?? "");
}
