import type { Brands } from "#domain/brands/brands.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { type PageDeps, pageRoute } from "./page-route.js";

/** Headers of pictures that other sites show. The content at a URL never changes. */
export const PUBLIC_FILE_HEADERS = Object.entries({
  "Cache-Control": "public, max-age=31536000, immutable",
  "Cross-Origin-Resource-Policy": "cross-origin",
}).flat();

/** `GET /brand/<SHA-256>` returns the logo of a brand. */
export function brandRoute({ site, pipeline }: PageDeps, brands: Brands): HttpRoute {
  return pageRoute(site, {
    path: /^\/brand\/([0-9a-f]{64})$/,
    title: "verification",
    async answer({ groups: [sha256 = ""], response, inbound, say, negotiated }) {
      await pipeline.visit({ name: "GET /brand/", kind: "unary" }, inbound, async () => {
        const logo = await brands.logo(sha256);
        if (!logo) return say(404, negotiated.language.linkLeadsNowhere);
        sendAnswer(response, {
          contentType: `image/${logo.kind}`,
          headers: PUBLIC_FILE_HEADERS,
          body: logo.bytes,
        });
      });
    },
  });
}
