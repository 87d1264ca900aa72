/** A name of a parameter and its value, a token or a quoted string, and what ends it (RFC 7239, 4). */
const pair = /[ \t]*([!#$%&'*+.^`|~\w-]+)=(?:([!#$%&'*+.^`|~\w-]+)|"((?:[^"\\]|\\.)*)")[ \t]*([;,]|$)/y;

/**
 * Reads who passed a request on for whom, from the `Forwarded` header: the `for` of each hop, the nearest last, or
 * undefined where a hop does not tell.
 * @returns undefined for a malformed header
 */
export function parseForwarded(header: string): (string | undefined)[] | undefined {
  const hops: (string | undefined)[] = [];
  let hop: string | undefined;
  pair.lastIndex = 0;
  for (;;) {
    const [, name, token, quoted, end] = pair.exec(header) ?? [];
    if (name === undefined) return undefined;
    if (name.toLowerCase() === "for") hop = token ?? quoted?.replace(/\\(.)/g, "$1");
    if (end === ";") continue;
    hops.push(hop);
    hop = undefined;
    if (end === "") return hops;
  }
}

/** The same from the `X-Forwarded-For` header. */
export function parseForwardedFor(header: string): string[] {
  return header.split(",").map((hop) => hop.trim());
}
