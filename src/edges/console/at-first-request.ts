import type { Logger } from "pino";
import { Problem } from "#foundation/errors.js";
import type { HttpRoute } from "../http/routes.js";
import type { HttpHandler } from "../http/server.js";
import type { ConsoleOptions } from "./handler.js";

/** Serves the console. Loads its modules at the first request, so they don't slow down startup. */
export function consoleAtFirstRequest(options: ConsoleOptions & { readonly log: Logger }): HttpRoute {
  let handler: HttpHandler | undefined;
  return {
    path: /^\/console(?:\/.*)?$/,
    methods: "any",
    async answer({ request, response }) {
      handler ??= (await import("./handler.js")).createConsoleHandler(options);
      if (response.destroyed || handler(request, response)) return;
      throw new Problem("not-found", "Not found.");
    },
  };
}
