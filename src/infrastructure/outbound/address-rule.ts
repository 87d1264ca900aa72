import ipaddr from "ipaddr.js";

/** Decides to which addresses requests may go. */
export interface AddressRule {
  /** Name of the setting with additional allowed networks, for error messages. */
  readonly setting: string;
  /** Returns the kind of a forbidden address; undefined if it is allowed. */
  refusalOf(address: string): string | undefined;
  /** Whether the settings allow the network of the address. */
  isInAllowedNetwork(address: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** All global unicast addresses of IPv6. */
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Allows public addresses and those in the given networks. Other addresses are rejected by their kind: private,
 * loopback, link-local, and forms of IPv6 that contain an IPv4 address.
 * @param networks in CIDR notation, for example `10.0.0.0/8`
 * @param setting name of the setting with these networks
 */
export function createAddressRule(
  networks: readonly string[],
  setting = "WEBHOOK_ALLOWED_NETWORKS",
): AddressRule {
  const allowed = networks.map((network) => ipaddr.parseCIDR(network));
  const isAllowed = (address: Address) =>
    allowed.some(([network, bits]) => network.kind() === address.kind() && matches(address, network, bits));

  return {
    setting,
    refusalOf(text) {
      const address = read(text);
      if (!address) return "malformed";
      if (isAllowed(address)) return undefined;
      const range = address.range();
      if (range !== "unicast") return range;
      const isGlobal = address.kind() === "ipv4" || matches(address, ...GLOBAL_V6);
      return isGlobal ? undefined : "reserved";
    },
    isInAllowedNetwork(text) {
      const address = read(text);
      return address !== undefined && isAllowed(address);
    },
  };
}

/** An IPv4 address that is mapped into IPv6 is treated as IPv4. */
function read(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function matches(address: Address, network: Address, bits: number): boolean {
  return (address as ipaddr.IPv6).match(network as ipaddr.IPv6, bits);
}
