import type { DescService } from "@bufbuild/protobuf";
import { basePathOf } from "../http/base-path.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { describeApi } from "./document.js";
import { apiPage } from "./page.js";

const PAGE = "/api/learning_credentials/v1/docs/";

/** The documents change only with a new version of the program, but clients must get the new documents immediately. */
const HEADERS = ["Cache-Control", "no-cache"];

/**
 * `GET /api/learning_credentials/v1/openapi.json` returns the API description, and `docs/` beside it an HTML version.
 * Both are created at the first request, because the public URL may be known only after startup.
 */
export function openApiRoutes(
  services: readonly DescService[],
  publicUrl: string,
  compatibility?: string,
): HttpRoute[] {
  let described: ReturnType<typeof describe> | undefined;
  const describeOnce = () => {
    described ??= describe(services, publicUrl, compatibility);
    return described;
  };
  return [
    {
      path: "/api/learning_credentials/v1/openapi.json",
      headers: [...HEADERS, "Access-Control-Allow-Origin", "*"],
      answer: ({ response, headers }) =>
        sendAnswer(response, {
          isConditional: true,
          contentType: "application/json",
          headers,
          body: describeOnce().json,
        }),
    },
    {
      path: PAGE,
      headers: HEADERS,
      answer({ response, headers }) {
        const { html, contentSecurityPolicy } = describeOnce().page;
        sendAnswer(response, {
          isConditional: true,
          contentType: "text/html; charset=utf-8",
          headers: [...headers, "Content-Security-Policy", contentSecurityPolicy],
          body: html,
        });
      },
    },
    {
      path: PAGE.slice(0, -1),
      answer: ({ response }) =>
        void response
          .writeHead(301, [...HEADERS, "Location", `${basePathOf(publicUrl)}${PAGE}`, "Content-Length", "0"])
          .end(),
    },
  ];
}

function describe(services: readonly DescService[], publicUrl: string, compatibility: string | undefined) {
  const api = describeApi(services, publicUrl, compatibility);
  return { json: JSON.stringify(api), page: apiPage(api) };
}
