import type { ServerResponse } from "node:http";
import type { ConnectError } from "@connectrpc/connect";
import { JSON_TYPE } from "./send-answer.js";

/**
 * Sends JSON that must not be cached. Does nothing if the client has disconnected.
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
  const head = ["Content-Type", JSON_TYPE, "Content-Length", String(body.length)];
  response.writeHead(status, [...head, "Cache-Control", "no-store", ...headers]).end(body);
}

export function retryAfterOf({ metadata }: ConnectError): readonly string[] {
  const seconds = metadata.get("retry-after");
  return seconds === null ? [] : ["Retry-After", seconds];
}
