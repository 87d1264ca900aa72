import type { Logger } from "pino";
import { Problem } from "#foundation/errors.js";
import { createConnectHandler } from "../connect/handler.js";
import type { ClientOf } from "../http/client-address.js";
import { noCors } from "../http/cors.js";
import type { RequestBodies } from "../http/request-bodies.js";
import type { HttpRoute } from "../http/routes.js";
import { isSameOrigin } from "../http/same-origin.js";
import type { HttpHandler } from "../http/server.js";
import { type ConsoleDeps, foreignPage } from "./session.js";
import { endStreamsWithSessions } from "./session-streams.js";

const PREFIX = "/console/rpc";

/**
 * The API for the console, at `/console/rpc/<service>/<method>`. The only accepted credential is the session cookie.
 */
export function consoleRpcRoute(
  deps: ConsoleDeps & { readonly clientOf: ClientOf; readonly log: Logger; readonly bodies: RequestBodies },
): HttpRoute {
  let connect: HttpHandler | undefined;
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
  return {
    path: /^\/console\/rpc\//,
    methods: "any",
    async answer({ request, response, inbound }) {
      if (!isSameOrigin(request, deps.publicUrl)) {
        await deps.pipeline.visit({ name: PREFIX, kind: "unary" }, inbound, async () => {
          throw foreignPage();
        });
      }
      if (!atFirstUse()(request, response)) throw new Problem("not-found", "Not found.");
    },
  };
}
