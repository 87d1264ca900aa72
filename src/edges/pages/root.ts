import type { HttpHandler } from "../http/server.js";

/**
 * `GET /` in a browser, as when a visitor types only the host name: redirects to the page that looks up
 * credentials. It has nothing for programs.
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
