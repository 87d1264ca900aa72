import type { HttpRoute } from "../http/routes.js";
import type { PageContext } from "./page-context.js";

/**
 * Redirects `GET /` to the page that looks up credentials, for visitors who type only the host name. Badges name this
 * address, too, as their issuer's site: verifiers fetch it, and backpacks link to it.
 */
export function rootRoute({ publicUrl }: Pick<PageContext, "publicUrl">): HttpRoute {
  return {
    path: "/",
    answer({ response }) {
      // A proxy may serve this below a path, which it removes on the way here.
      const base = new URL(publicUrl()).pathname.replace(/\/$/, "");
      const headers = { location: `${base}/verify/`, "content-length": 0, "cache-control": "no-store" };
      response.writeHead(302, headers).end();
    },
  };
}
