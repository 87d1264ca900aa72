import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import type { ConsoleSettings } from "#foundation/console-settings.js";
import { Problem } from "#foundation/errors.js";
import { escapeHtml } from "#foundation/text/escape-html.js";
import { chooseCoding } from "../http/accept-encoding.js";
import type { HttpRoute } from "../http/routes.js";
import { type HttpAnswer, sendAnswer } from "../http/send-answer.js";
import type { PageLanguage } from "../pages/languages.js";
import { negotiateLanguage } from "../pages/negotiate-language.js";
import { type BuiltConsole, type ConsoleAsset, openBuiltConsole } from "./built-console.js";
import { consoleHeaders } from "./console-headers.js";
import { missingBuild } from "./missing-build.js";

/** The output directory of `npm run build` for the console. */
const BUILD = resolve(import.meta.dirname, "../../../console");

/**
 * `GET /console/…` returns the console's assets, and its page at every other path. Files are cached in memory after
 * their first request.
 * @param options.directory the console's build directory; by default `dist/console`
 */
export function consolePages(options: {
  settings: () => Promise<ConsoleSettings>;
  /** BCP 47 tag of the language for browsers that prefer none of the supported languages. */
  language: string;
  directory?: string;
}): HttpRoute[] {
  const { settings, language: ofService, directory = BUILD } = options;
  let opened: Promise<BuiltConsole | undefined> | undefined;

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
      // Other routes serve sign-in, sessions and calls.
      path: /^\/console\/(?!rpc\/|session|sign-in\/)(.*)$/,
      async answer({ groups: [path = ""], request, response }) {
        const built = await open();
        const { language } = negotiateLanguage(request, ofService);
        sendAnswer(response, built ? pageOf(built, path, await settings(), language) : missingBuild);
      },
    },
  ];
}

/**
 * Returns the page with relative asset URLs. A proxy may serve the console below a path, while staff may also connect
 * directly.
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

/** Sends an asset. Responds 404 to an unknown one, so that an older tab can detect that its assets no longer exist. */
function sendAsset(
  asset: ConsoleAsset | "gone" | undefined,
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

/** Redirects to a relative location, because a proxy may serve this service below a path. */
function redirectHome(response: ServerResponse): void {
  response.writeHead(301, ["Cache-Control", "no-cache", "Location", "console/", "Content-Length", "0"]).end();
}
