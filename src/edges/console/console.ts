import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import { Problem } from "#foundation/errors.js";
import { escapeHtml } from "#foundation/text/escape-html.js";
import { chooseCoding } from "../http/accept-encoding.js";
import type { HttpRoute } from "../http/routes.js";
import { type HttpAnswer, sendAnswer } from "../http/send-answer.js";
import type { PageLanguage } from "../pages/languages.js";
import { negotiateLanguage } from "../pages/negotiate-language.js";
import { type Asset, type BuiltConsole, openBuiltConsole } from "./built-console.js";
import { consoleHeaders } from "./console-headers.js";
import { missingBuild } from "./missing-build.js";

/** What the console in the browser receives with its page. */
export interface ConsoleSettings {
  readonly platformName: string;
  /** Base URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether `/console/sign-in` leads to a provider. */
  readonly hasProvider: boolean;
  /** Whom to ask for a sign-in link: an email address, or an address with https. Empty: not known. */
  readonly contact: string;
}

/** Where `npm run build` writes the console, beside the compiled sources. */
const BUILD = resolve(import.meta.dirname, "../../../console");

/**
 * `GET /console/…`: the console's assets, and for every other path its page, which shows what the path names.
 * Nothing is read before it is first asked for; then it is kept.
 * @param options.directory where the console has been built. Default: `dist/console`
 */
export function consolePages(options: {
  settings: () => ConsoleSettings;
  /** BCP 47: the language where the browser prefers none of ours. */
  language: string;
  directory?: string;
}): HttpRoute[] {
  const { settings, language: ofService, directory = BUILD } = options;
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

  return [
    { path: "/console", answer: ({ response }) => redirectHome(response) },
    {
      path: /^\/console\/assets\/(.*)$/,
      async answer({ groups: [name = ""], request, response }) {
        const asset = await (await open())?.readAsset(name);
        if (asset === "gone") opened = undefined;
        sendAsset(asset, request, response);
      },
    },
    {
      // Below the other paths, only the routes of sign-in and of calls answer.
      path: /^\/console\/(?!rpc\/|session|sign-in\/)(.*)$/,
      async answer({ groups: [path = ""], request, response }) {
        const built = await open();
        const { language } = negotiateLanguage(request, ofService);
        sendAnswer(response, built ? pageOf(built, path, settings(), language) : missingBuild);
      },
    },
  ];
}

/**
 * The page at a path below the console's. Assets have relative addresses: a proxy may serve the console below a path, and
 * staff may reach it past the proxy.
 */
function pageOf(
  { page }: BuiltConsole,
  path: string,
  settings: ConsoleSettings,
  { tag, direction, loading }: PageLanguage,
): HttpAnswer {
  const up = "../".repeat(path.split("/").length - 1) || "./";
  const nonce = randomBytes(16).toString("base64url");
  return {
    contentType: "text/html; charset=utf-8",
    headers: consoleHeaders(nonce),
    body: page
      .replaceAll('"./assets/', `"${up}assets/`)
      .replaceAll("{nonce}", nonce)
      .replace("{lang}", tag)
      .replace("{dir}", direction)
      .replace("{loading}", () => escapeHtml(loading))
      .replaceAll("{platform}", () => escapeHtml(settings.platformName))
      .replaceAll("{settings}", () => escapeHtml(JSON.stringify(settings))),
  };
}

/** A tab of an earlier release must see that its assets are gone, so an unknown one is not the page. */
function sendAsset(
  asset: Asset | "gone" | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (asset === undefined || asset === "gone") throw new Problem("not-found", "There is no such asset.");
  const coding = chooseCoding(request.headers["accept-encoding"]);
  const coded = coding && asset.coded[coding];
  const headers = {
    "Cache-Control": "public, max-age=31536000, immutable",
    Vary: "Accept-Encoding",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(coded && { "Content-Encoding": coding }),
  };
  const { contentType, plain } = asset;
  sendAnswer(response, { contentType, headers: Object.entries(headers).flat(), body: coded ?? plain });
}

/** The redirect is relative, since a proxy may serve us below a path. */
function redirectHome(response: ServerResponse): void {
  response.writeHead(301, ["Cache-Control", "no-cache", "Location", "console/", "Content-Length", "0"]).end();
}
