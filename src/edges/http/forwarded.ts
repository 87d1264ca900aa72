/** Matches a parameter's name, value (a token or a quoted string) and separator (RFC 7239, 4). */
const pair = /[ \t]*([!#$%&'*+.^`|~\w-]+)=(?:([!#$%&'*+.^`|~\w-]+)|"((?:[^"\\]|\\.)*)")[ \t]*([;,]|$)/y;

/**
 * Parses the `for` values of the `Forwarded` header, in order. The nearest hop is the last. A hop without `for` is
 * undefined.
 * @returns undefined if the header is malformed
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

/** Parses `X-Forwarded-For` into the addresses of the hops. The nearest hop is the last. */
export function parseForwardedFor(header: string): string[] {
  return header.split(",").map((hop) => hop.trim());
}
