import type { HttpHandler } from "../http/server.js";

/**
 * `GET /` in a browser, as of who types the host name alone: it leads to the page on which a credential can be looked up. For
 * programs there is nothing here.
 */
export const leadToVerification: HttpHandler = (request, response) => {
  const [path] = (request.url ?? "").split("?", 1);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isBrowser = request.headers.accept?.includes("text/html") ?? false;
  if (path !== "/" || !isRead || !isBrowser) return false;
  const headers = { location: "/verify/", "content-length": 0, "cache-control": "no-store", vary: "Accept" };
  response.writeHead(302, headers).end();
  return true;
};
