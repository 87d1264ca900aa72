/** Name and value of a parameter (a token or a quoted string), and its separator (RFC 7239, 4). */
const pair = /[ \t]*([!#$%&'*+.^`|~\w-]+)=(?:([!#$%&'*+.^`|~\w-]+)|"((?:[^"\\]|\\.)*)")[ \t]*([;,]|$)/y;

/**
 * Parses the `Forwarded` header into the `for` values of the hops, the nearest last. A hop without `for` is undefined.
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

/** Parses the `X-Forwarded-For` header into the addresses of the hops, the nearest last. */
export function parseForwardedFor(header: string): string[] {
  return header.split(",").map((hop) => hop.trim());
}
