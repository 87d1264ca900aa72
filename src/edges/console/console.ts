import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { escapeHtml } from "../../text/escape-html.js";
import { chooseCoding } from "../http/accept-encoding.js";
import { sendText, type TextAnswer } from "../http/send-text.js";
import type { HttpHandler } from "../http/server.js";
import { type Asset, type BuiltConsole, openBuiltConsole } from "./built-console.js";
import { consoleHeaders } from "./console-headers.js";
import { missingBuild } from "./missing-build.js";

/** What the console in the browser is told with its page. */
export interface ConsoleSettings {
  readonly platformName: string;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether `/console/sign-in` leads to a provider. */
  readonly hasProvider: boolean;
}

const HOME = "/console/";
const ASSETS = "/console/assets/";
/** Below these, only the handlers of sign-in and of calls answer. */
const NO_PAGES = ["/console/rpc/", "/console/session", "/console/sign-in/"];

/** Where `npm run build` writes the console, beside the compiled sources. */
const BUILD = resolve(import.meta.dirname, "../../../console");

/**
 * `GET /console/…`: the console's assets, and for every other path its page, which shows what the path names.
 * Nothing is read before it is first asked for; then it is kept.
 * @param options.directory where the console has been built. Default: `dist/console`
 */
export function createConsoleHandler(options: {
  settings: () => ConsoleSettings;
  directory?: string;
  log: Logger;
}): HttpHandler {
  const { settings, directory = BUILD, log } = options;
  let opened: Promise<BuiltConsole | undefined> | undefined;

  /** A build that is missing is looked for again with each request. */
  async function open(): Promise<BuiltConsole | undefined> {
    opened ??= openBuiltConsole(directory);
    const built = await opened.catch(forget);
    if (!built) opened = undefined;
    return built;
  }
  function forget(error: unknown): never {
    opened = undefined;
    throw error;
  }

  async function answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const built = await open();
    if (path.startsWith(ASSETS)) {
      const asset = await built?.readAsset(path.slice(ASSETS.length));
      if (asset === "gone") opened = undefined;
      sendAsset(asset, request, response);
    } else sendText(response, built ? pageOf(built, settings()) : missingBuild);
  }

  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (path !== HOME.slice(0, -1) && !path.startsWith(HOME)) return false;
    if (NO_PAGES.some((prefix) => path.startsWith(prefix))) return false;
    if (request.method !== "GET" && request.method !== "HEAD") sendText(response, notAllowed);
    else if (path === HOME.slice(0, -1)) redirectHome(response);
    else {
      answer(path, request, response).catch((error) => {
        log.error({ err: error }, "the console could not be read");
        sendText(response, unreadable);
      });
    }
    return true;
  };
}

function pageOf({ page }: BuiltConsole, settings: ConsoleSettings): TextAnswer {
  const nonce = randomBytes(16).toString("base64url");
  return {
    status: 200,
    contentType: "text/html; charset=utf-8",
    headers: consoleHeaders(nonce),
    body: page
      .replaceAll("{nonce}", nonce)
      .replaceAll("{settings}", () => escapeHtml(JSON.stringify(settings))),
  };
}

/** A tab of an earlier release must see that its assets are gone, so an unknown one is not the page. */
function sendAsset(
  asset: Asset | "gone" | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (asset === undefined || asset === "gone") {
    sendText(response, unknownAsset);
    return;
  }
  const coding = chooseCoding(request.headers["accept-encoding"]);
  const coded = coding && asset.coded[coding];
  const body = coded ?? asset.plain;
  if (response.destroyed || response.headersSent) return;
  response
    .writeHead(200, [
      "Cache-Control",
      "public, max-age=31536000, immutable",
      "Vary",
      "Accept-Encoding",
      "Cross-Origin-Resource-Policy",
      "same-origin",
      ...(coding && coded ? ["Content-Encoding", coding] : []),
      "Content-Type",
      asset.contentType,
      "Content-Length",
      String(body.length),
    ])
    .end(body);
}

/** The redirect is relative, since a proxy may serve us below a path. */
function redirectHome(response: ServerResponse): void {
  response.writeHead(301, ["Cache-Control", "no-cache", "Location", "console/", "Content-Length", "0"]).end();
}

const plain = { contentType: "application/json", headers: ["Cache-Control", "no-store"] };
const unknownAsset: TextAnswer = { ...plain, status: 404, body: '{"detail":"There is no such asset."}' };
const unreadable: TextAnswer = { ...plain, status: 500, body: '{"detail":"Internal server error."}' };
const notAllowed: TextAnswer = {
  ...plain,
  status: 405,
  headers: [...plain.headers, "Allow", "GET, HEAD"],
  body: '{"detail":"Only GET and HEAD are allowed here."}',
};
