import type { IncomingMessage } from "node:http";

/**
 * Returns whether the request was sent by a page of this origin. A cookie doesn't prove it: browsers also send cookies
 * for pages of sibling hosts, and for links and forms on any page.
 *
 * Browsers report the origin's relation in `Sec-Fetch-Site`, which no page can set (Fetch Metadata, W3C). They omit it
 * over plain HTTP except on localhost; then the `Origin` must be the service's.
 * @param publicUrl URL of this service as browsers know it
 */
export function isSameOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin !== undefined && headers.origin === new URL(publicUrl).origin;
}
