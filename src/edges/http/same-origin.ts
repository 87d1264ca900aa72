import type { IncomingMessage } from "node:http";

/**
 * Returns whether a page of this origin has sent the request. Cookies don't tell: a browser also sends them for
 * pages of sibling hosts, and for links and forms of any page.
 *
 * Browsers state it in `Sec-Fetch-Site`, which no page can set (Fetch Metadata, W3C). They omit it on plain HTTP
 * outside of this machine. There the `Origin` must be the service's.
 * @param publicUrl URL of this service as browsers know it
 */
export function isSameOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin !== undefined && headers.origin === new URL(publicUrl).origin;
}
