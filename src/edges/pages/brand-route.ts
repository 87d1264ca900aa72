import type { Brands } from "../../brands/brands.js";
import type { HttpRoute } from "../http/routes.js";
import { type PageDeps, pageRoute } from "./page-route.js";

/** `GET /brand/<SHA-256>`: the logo of a brand. It never changes under its address. */
export function brandRoute({ site, pipeline }: PageDeps, brands: Brands): HttpRoute {
  return pageRoute(site, {
    path: /^\/brand\/([0-9a-f]{64})$/,
    title: "verification",
    async answer({ groups: [sha256 = ""], response, inbound, say, spoken }) {
      await pipeline.visit({ name: "GET /brand/", kind: "unary" }, inbound, async () => {
        const logo = await brands.logo(sha256);
        if (!logo) return say(404, spoken.language.linkLeadsNowhere);
        if (response.destroyed) return;
        response
          .writeHead(200, {
            "content-type": `image/${logo.kind}`,
            "content-length": logo.bytes.length,
            "cache-control": "public, max-age=31536000, immutable",
            "cross-origin-resource-policy": "cross-origin",
          })
          .end(logo.bytes);
      });
    },
  });
}
