import { basePathOf } from "../http/base-path.js";
import type { HttpRoute } from "../http/routes.js";
import type { PageContext } from "./page-context.js";

/** Redirects to the page for looking up credentials. Badges give this URL as the website of their issuer. */
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
