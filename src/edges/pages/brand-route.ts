import type { Brands } from "#domain/brands/brands.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { type PageDeps, pageRoute } from "./page-route.js";

const HEADERS = Object.entries({
  "Cache-Control": "public, max-age=31536000, immutable",
  "Cross-Origin-Resource-Policy": "cross-origin",
}).flat();

/** `GET /brand/<SHA-256>`: the logo of a brand. The content at a URL never changes. */
export function brandRoute({ site, pipeline }: PageDeps, brands: Brands): HttpRoute {
  return pageRoute(site, {
    path: /^\/brand\/([0-9a-f]{64})$/,
    title: "verification",
    async answer({ groups: [sha256 = ""], response, inbound, say, negotiated }) {
      await pipeline.visit({ name: "GET /brand/", kind: "unary" }, inbound, async () => {
        const logo = await brands.logo(sha256);
        if (!logo) return say(404, negotiated.language.linkLeadsNowhere);
        sendAnswer(response, { contentType: `image/${logo.kind}`, headers: HEADERS, body: logo.bytes });
      });
    },
  });
}
