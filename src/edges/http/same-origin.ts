import type { IncomingMessage } from "node:http";

/**
 * Returns whether a page of this origin sent the request. Cookies don't prove that, because browsers also send them
 * with requests from pages of sibling hosts, and when any page links to this one or submits a form.
 *
 * Browsers report the origin in `Sec-Fetch-Site`, which pages can't set (Fetch Metadata, W3C). Over plain HTTP, they
 * omit this header except on localhost. In that case, `Origin` must match.
 * @param publicUrl URL of this service as browsers see it
 */
export function isSameOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return headers.origin !== undefined && headers.origin === new URL(publicUrl).origin;
}
