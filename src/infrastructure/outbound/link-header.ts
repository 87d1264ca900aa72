/**
 * Returns the URL of a link, with the origin of the request, because platforms behind a TLS proxy may write http:// or
 * omit the port.
 * @returns undefined for a link to another host, which must not receive our token
 */
export function atOrigin(link: string, requestUrl: URL): URL | undefined {
  if (!URL.canParse(link, requestUrl.href)) return undefined;
  const target = new URL(link, requestUrl);
  if (target.hostname !== requestUrl.hostname || (target.port !== requestUrl.port && target.port !== ""))
    return undefined;
  return new URL(`${target.pathname}${target.search}`, requestUrl.origin);
}

/** Returns the link to the next page (RFC 8288), or `undefined` after the last page. */
export function nextLink(header: string | null): string | undefined {
  for (const [, target, parameters = ""] of (header ?? "").matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    if ((relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/).includes("next")) return target;
  }
  return undefined;
}
