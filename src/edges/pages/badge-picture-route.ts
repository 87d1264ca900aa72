import { badgeShapes, pngPicture } from "#formats/badges/badge-picture.js";
import type { HttpRoute } from "../http/routes.js";
import { sendAnswer } from "../http/send-answer.js";
import { PUBLIC_FILE_HEADERS } from "./brand-route.js";
import { type PageDeps, pageRoute } from "./page-route.js";

/** `GET /badge-picture/<shape>-<colour>.png` returns the picture for Open Badges with this shape and colour. */
export function badgePictureRoute({ site, pipeline }: PageDeps): HttpRoute {
  return pageRoute(site, {
    path: /^\/badge-picture\/([a-z]+)-([0-9a-f]{6})\.png$/,
    title: "verification",
    async answer({ groups: [name = "", color = ""], response, inbound, say, negotiated }) {
      await pipeline.visit({ name: "GET /badge-picture/", kind: "unary" }, inbound, async () => {
        const shape = badgeShapes.find((each) => each === name);
        if (!shape) return say(404, negotiated.language.linkLeadsNowhere);
        const body = pngPicture({ shape, color });
        sendAnswer(response, { contentType: "image/png", headers: PUBLIC_FILE_HEADERS, body });
      });
    },
  });
}
