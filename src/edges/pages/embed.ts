import { learningCredentialScript } from "#gen/pages/learning-credential-script.js";
import type { Cors } from "../http/cors.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { pageLanguages } from "./languages.js";
import { type PageDeps, pageRoute } from "./page-route.js";

/** Browsers revalidate the script once an hour. */
const HEADERS = Object.entries({
  "Cache-Control": "public, max-age=3600",
  "Cross-Origin-Resource-Policy": "cross-origin",
}).flat();

/** The script with its texts. English comes first, because the script uses it for unsupported languages. */
const script = learningCredentialScript.replace("WORDS", () =>
  JSON.stringify(
    [...pageLanguages.all]
      .sort((one, other) => Number(other.tag === "en") - Number(one.tag === "en"))
      .map(({ tag, direction, genuine, invalidated, expired, notFound, outOfReach, verify }) => [
        ...[tag, direction],
        ...[genuine, invalidated, expired, notFound, outOfReach, verify],
      ]),
  ),
);

/** `GET /embed/learning-credential.js` defines the element `<learning-credential>`, for pages of other sites. */
export function embedRoute({ site, pipeline }: PageDeps, cors: Cors): HttpRoute {
  return {
    ...pageRoute(site, {
      path: "/embed/learning-credential.js",
      title: "verification",
      async answer({ response, inbound, headers }) {
        await pipeline.visit({ name: "GET /embed/", kind: "unary" }, inbound, async () => {
          sendAnswer(response, {
            contentType: "text/javascript; charset=utf-8",
            headers: [...HEADERS, ...headers],
            body: script,
            isConditional: true,
          });
        });
      },
    }),
    cors,
  };
}
