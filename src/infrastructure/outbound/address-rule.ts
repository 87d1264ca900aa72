import ipaddr from "ipaddr.js";

/** Decides which addresses requests may go to. */
export interface AddressRule {
  /** The setting with additional allowed networks, for messages. */
  readonly setting: string;
  /** @returns undefined if the address is allowed, or else its kind */
  refusalOf(address: string): string | undefined;
  /** Whether the address lies in a network that the settings allow. */
  isInAllowedNetwork(address: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Contains all global unicast addresses of IPv6. */
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Creates the rule, which allows public addresses and those in the given networks. Others are rejected by their kind:
 * private, loopback, link-local, and forms of IPv6 that contain an IPv4 address.
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

/** Parses an address. An IPv4 address that is mapped into IPv6 is treated as IPv4. */
function read(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function matches(address: Address, network: Address, bits: number): boolean {
  return (address as ipaddr.IPv6).match(network as ipaddr.IPv6, bits);
}
