import { isIP } from "node:net";

/**
 * Returns the network of an address, which identifies a client: for IPv4 the address itself, for IPv6 its
 * first 64 bits. An IPv6 customer has at least 2^64 addresses.
 * @param address with or without a port, and for IPv6 with or without brackets
 * @returns undefined if it is no address
 */
export function networkOf(address: string): string | undefined {
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  const version = isIP(bare);
  if (version === 4) return bare;
  if (version === 0) return undefined;
  const groups = groupsOf(bare.replace(/%.*$/, ""));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [start = "", end] = address.split("::").map(readGroups);
  if (end === undefined) return [...start] as number[];
  return [...start, ...new Array(8 - start.length - end.length).fill(0), ...end] as number[];
}

/** The last two groups may be written as IPv4. */
function readGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
