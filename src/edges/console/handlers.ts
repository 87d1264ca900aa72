import type { OpenDocument } from "../../credentials/download/open-document.js";
import type { RequestBodies } from "../http/request-bodies.js";
import type { HttpHandler } from "../http/server.js";
import { type ConsoleSettings, createConsoleHandler } from "./console.js";
import { createDocumentsHandler } from "./documents.js";
import { createProviderSignIn, type ProviderSignInDeps } from "./provider-sign-in.js";
import { createConsoleRpc } from "./rpc.js";
import { createSessionHandler, type SessionDeps } from "./session.js";
import { createSessionCookie } from "./session-cookie.js";

/** What serves the console. */
export type ConsoleOptions = Omit<SessionDeps, "cookie"> &
  Omit<ProviderSignInDeps, "provider" | "cookie"> & {
    readonly bodies: RequestBodies;
    readonly openDocument: OpenDocument;
    settings(): ConsoleSettings;
  };

/** Creates the handlers of all paths below `/console`: sign-in, calls, documents, and the pages. */
export function createConsoleHandlers(options: ConsoleOptions): readonly HttpHandler[] {
  const deps = { ...options, cookie: () => createSessionCookie(options.publicUrl()) };
  const { provider } = options;
  return [
    createSessionHandler(deps),
    ...(provider ? [createProviderSignIn({ ...deps, provider })] : []),
    createConsoleRpc(deps),
    createDocumentsHandler(deps),
    createConsoleHandler(deps),
  ];
}
