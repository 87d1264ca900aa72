import { basePathOf } from "../http/base-path.js";
import type { HttpRoute } from "../http/routes.js";
import type { PageContext } from "./page-context.js";

/**
 * Redirects `GET /` to the page that looks up credentials, for visitors who type only the host name. Badges also
 * contain this address as their issuer's website: verifiers fetch it, and backpacks link to it.
 */
export function rootRoute({ publicUrl }: Pick<PageContext, "publicUrl">): HttpRoute {
  return {
    path: "/",
    answer({ response }) {
      const headers = {
        location: `${basePathOf(publicUrl)}/verify/`,
        "content-length": 0,
        "cache-control": "no-store",
      };
      response.writeHead(302, headers).end();
    },
  };
}
