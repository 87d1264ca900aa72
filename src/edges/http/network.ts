import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Returns the network that identifies a client: an IPv4 address, or the first 64 bits of an IPv6 address, because an
 * IPv6 customer has at least 2^64 addresses.
 * @param address may have a port and, for IPv6, brackets
 * @returns undefined if the text is not an address
 */
export function networkOf(address: string): string | undefined {
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  const version = isIP(bare);
  if (version === 4) return bare;
  if (version === 0) return undefined;
  const parsed = ipaddr.process(bare.replace(/%.*$/, "")); // `process` converts an IPv4-mapped IPv6 address to IPv4
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}
