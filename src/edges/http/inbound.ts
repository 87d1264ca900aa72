import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Inbound } from "#api/pipeline/inbound.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";
import { requestIdOf } from "./request-id.js";

/**
 * Converts an HTTP request to a call. The call is cancelled if the connection closes.
 * @param client the network that sent the request
 */
export function toInbound(request: IncomingMessage, response: ServerResponse, client: string): Inbound {
  const { authorization, cookie } = request.headers;
  const cancellation = new Cancellation();
  cancelOnClose(cancellation, response);
  return {
    credentials: { authorization, cookie, hasCertificate: (request.socket as TLSSocket).authorized },
    cancellation,
    requestId: requestIdOf(request),
    header: headerOf(request),
    client,
    isLimited: true,
  };
}

/** Cancels the call if the connection closes before the complete response was sent. */
function cancelOnClose(cancellation: Cancellation, response: ServerResponse): void {
  response.once("close", () => {
    if (!response.writableFinished) cancellation.cancel(new Problem("cancelled", "The caller is gone."));
  });
}

function headerOf({ headers }: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
}
