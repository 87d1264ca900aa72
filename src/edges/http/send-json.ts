import type { ServerResponse } from "node:http";
import { ConnectError } from "@connectrpc/connect";
import { httpStatusOf } from "./http-status.js";

/**
 * Sends JSON that nobody on the way keeps, unless the client is gone.
 * @param headers alternating names and values
 */
export function sendJson(
  response: ServerResponse,
  status: number,
  content: object,
  headers: readonly string[] = [],
): void {
  if (response.destroyed || response.headersSent) return;
  const body = Buffer.from(JSON.stringify(content));
  const head = ["Content-Type", "application/json", "Content-Length", String(body.length)];
  response.writeHead(status, [...head, "Cache-Control", "no-store", ...headers]).end(body);
}

/** Sends an error as `{"detail": "…"}`, unless the client is gone. */
export function sendFailure(response: ServerResponse, error: unknown, headers: readonly string[] = []): void {
  const failure = ConnectError.from(error);
  const status = httpStatusOf(failure);
  sendJson(response, status, { detail: failure.rawMessage }, [...retryAfterOf(failure), ...headers]);
}

/** The header that tells when to ask again, if the error tells it. */
export function retryAfterOf({ metadata }: ConnectError): readonly string[] {
  const seconds = metadata.get("retry-after");
  return seconds === null ? [] : ["Retry-After", seconds];
}
