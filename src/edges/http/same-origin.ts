import type { IncomingMessage } from "node:http";

/**
 * Returns whether a page of this origin sent the request. Cookies don't prove that: browsers also send them for pages
 * of sibling hosts, and for links and forms on any page.
 *
 * Browsers report the origin in `Sec-Fetch-Site`, which pages can't set (Fetch Metadata, W3C). Over plain HTTP, they
 * omit that header except on localhost. In that case, `Origin` must match.
 * @param publicUrl URL of this service as browsers see it
 */
export function isSameOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin !== undefined && headers.origin === new URL(publicUrl).origin;
}
