import type { OpenDocument } from "#domain/credentials/download/open-document.js";
import type { ConsoleSettings } from "#foundation/console-settings.js";
import type { ClientOf } from "../http/client-address.js";
import type { RequestBodies } from "../http/request-bodies.js";
import { createRoutes } from "../http/routes.js";
import type { HttpHandler } from "../http/server.js";
import { consolePages } from "./console.js";
import { documentsRoute } from "./documents.js";
import { type ProviderSignInDeps, signInRoutes } from "./provider-sign-in.js";
import { consoleRpcRoute } from "./rpc.js";
import { type SessionDeps, sessionRoute } from "./session.js";
import { createSessionCookie } from "./session-cookie.js";

export type ConsoleOptions = Omit<SessionDeps, "cookie"> &
  Omit<ProviderSignInDeps, "cookie"> & {
    readonly clientOf: ClientOf;
    readonly bodies: RequestBodies;
    readonly openDocument: OpenDocument;
    settings(): Promise<ConsoleSettings>;
  };

export function createConsoleHandler(options: ConsoleOptions): HttpHandler {
  const deps = { ...options, cookie: () => createSessionCookie(options.publicUrl) };
  return createRoutes(options, [
    sessionRoute(deps),
    ...signInRoutes(deps),
    consoleRpcRoute(deps),
    documentsRoute(deps),
    ...consolePages({ settings: deps.settings, language: deps.site.language }),
  ]);
}
