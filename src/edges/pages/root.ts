import type { HttpHandler } from "../http/server.js";
import type { PageContext } from "./page-context.js";

/**
 * Redirects `GET /` to the page that looks up credentials: for visitors who type only the host name, and
 * because badges name this address as their issuer's site, which verifiers fetch and backpacks link to.
 */
export function createRootHandler({ publicUrl }: Pick<PageContext, "publicUrl">): HttpHandler {
  return (request, response) => {
    const [path] = (request.url ?? "").split("?", 1);
    if (path !== "/" || (request.method !== "GET" && request.method !== "HEAD")) return false;
    // A proxy may serve this below a path, which it removes on the way here.
    const base = new URL(publicUrl()).pathname.replace(/\/$/, "");
    const headers = { location: `${base}/verify/`, "content-length": 0, "cache-control": "no-store" };
    response.writeHead(302, headers).end();
    return true;
  };
}
