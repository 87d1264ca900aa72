/** Returns the next page of a `Link` header (RFC 8288); undefined if it names none. */
export function nextLink(header: string | null): string | undefined {
  for (const [, target, parameters = ""] of (header ?? "").matchAll(/<([^>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    if ((relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/).includes("next")) return target;
  }
  return undefined;
}
