import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { sendJson } from "../http/send-json.js";
import type { HttpHandler } from "../http/server.js";
import type { ConsoleOptions } from "./handlers.js";

const HOME = "/console";

/** Serves the console. Its modules are loaded with the first request, so that they don't hold up the start. */
export function createConsoleAtFirstRequest(options: ConsoleOptions & { readonly log: Logger }): HttpHandler {
  let handlers: readonly HttpHandler[] | undefined;

  async function loadAndAnswer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { createConsoleHandlers } = await import("./handlers.js");
    handlers ??= createConsoleHandlers(options);
    if (!response.destroyed) answer(handlers, request, response);
  }

  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (path !== HOME && !path.startsWith(`${HOME}/`)) return false;
    if (handlers) answer(handlers, request, response);
    else {
      loadAndAnswer(request, response).catch((error) => {
        options.log.error({ err: error }, "the console could not be read");
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { detail: "Internal server error." });
      });
    }
    return true;
  };
}

function answer(handlers: readonly HttpHandler[], request: IncomingMessage, response: ServerResponse): void {
  if (!handlers.some((handler) => handler(request, response)))
    sendJson(response, 404, { detail: "Not found." });
}
