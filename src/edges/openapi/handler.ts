import type { DescService } from "@bufbuild/protobuf";
import { sendText, type TextAnswer } from "../http/send-text.js";
import type { HttpHandler } from "../http/server.js";
import { describeApi } from "./document.js";
import { apiPage } from "./page.js";

const DOCUMENT = "/api/learning_credentials/v1/openapi.json";
const PAGE = "/api/learning_credentials/v1/docs/";

/** The documents change only with a new version of the program, but then clients must see it at once. */
const HEADERS = ["Cache-Control", "no-cache"];

const NOT_ALLOWED: TextAnswer = {
  status: 405,
  contentType: "application/json",
  headers: [...HEADERS, "Allow", "GET, HEAD"],
  body: '{"detail":"Only GET and HEAD are allowed here."}',
};

/**
 * `GET /api/learning_credentials/v1/openapi.json`, and its human-readable page at `docs/`.
 * Both are built with the first request.
 * @param publicUrl with embedded defaults it is known only after the start
 */
export function createOpenApiHandler(services: readonly DescService[], publicUrl: () => string): HttpHandler {
  let answers: ReadonlyMap<string, TextAnswer> | undefined;

  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (path === PAGE.slice(0, -1)) {
      response.writeHead(301, [...HEADERS, "Location", PAGE, "Content-Length", "0"]).end();
      return true;
    }
    if (path !== DOCUMENT && path !== PAGE) return false;
    answers ??= describe(services, publicUrl());
    const isAllowed = request.method === "GET" || request.method === "HEAD";
    sendText(response, (isAllowed && answers.get(path)) || NOT_ALLOWED);
    return true;
  };
}

function describe(services: readonly DescService[], publicUrl: string): ReadonlyMap<string, TextAnswer> {
  const api = describeApi(services, publicUrl);
  const page = apiPage(api);
  const common = { status: 200, isConditional: true };
  return new Map([
    [
      DOCUMENT,
      {
        ...common,
        contentType: "application/json",
        headers: [...HEADERS, "Access-Control-Allow-Origin", "*"],
        body: JSON.stringify(api),
      },
    ],
    [
      PAGE,
      {
        ...common,
        contentType: "text/html; charset=utf-8",
        headers: [...HEADERS, "Content-Security-Policy", page.contentSecurityPolicy],
        body: page.html,
      },
    ],
  ]);
}
