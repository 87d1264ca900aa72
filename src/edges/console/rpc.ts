import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { type ConnectHandler, createConnectHandler } from "../connect/handler.js";
import { noCors } from "../http/cors.js";
import { toInbound } from "../http/inbound.js";
import type { RequestBodies } from "../http/request-bodies.js";
import { sendFailure, sendJson } from "../http/send-json.js";
import type { HttpHandler } from "../http/server.js";
import { isSameOrigin } from "./same-origin.js";
import { type ConsoleDeps, foreignPage } from "./session.js";
import { endStreamsWithSessions } from "./session-streams.js";

const PREFIX = "/console/rpc";

/**
 * The methods for the console's own pages: Connect at `/console/rpc/<service>/<method>`, where the session's cookie
 * authenticates, and nothing else does. The cookie counts nowhere else.
 */
export function createConsoleRpc(
  deps: ConsoleDeps & { readonly log: Logger; readonly bodies: RequestBodies },
): HttpHandler {
  let connect: ConnectHandler | undefined;
  const atFirstUse = () => {
    connect ??= createConnectHandler({
      ...deps,
      pipeline: endStreamsWithSessions(deps.pipeline, deps.sessions),
      cors: noCors,
      prefix: PREFIX,
      credentialsOf: (request) => ({ session: deps.cookie().read(request) }),
    });
    return connect;
  };
  return (request, response) => {
    if (!request.url?.startsWith(`${PREFIX}/`)) return false;
    if (!isSameOrigin(request, deps.publicUrl())) void refuseForeign(deps, request, response);
    else if (!atFirstUse().handle(request, response)) sendJson(response, 404, { detail: "Not found." });
    return true;
  };
}

/** Never rejects. The pipeline logs the request. */
async function refuseForeign(
  { pipeline, clientOf }: ConsoleDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const inbound = toInbound(request, response, clientOf(request));
  try {
    await pipeline.visit({ name: PREFIX, kind: "unary" }, inbound, async () => {
      throw foreignPage();
    });
  } catch (error) {
    sendFailure(response, error);
  }
}
