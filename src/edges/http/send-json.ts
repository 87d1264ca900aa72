import type { ServerResponse } from "node:http";
import type { ConnectError } from "@connectrpc/connect";

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

/** The header that tells when to ask again, if the error tells it. */
export function retryAfterOf({ metadata }: ConnectError): readonly string[] {
  const seconds = metadata.get("retry-after");
  return seconds === null ? [] : ["Retry-After", seconds];
}
