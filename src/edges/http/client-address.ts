import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { parseForwarded, parseForwardedFor } from "./forwarded.js";
import { networkOf } from "./network.js";

/** Identifies the client of a request by its network. Requests of one client return the same text. */
export type ClientOf = (request: Sender) => string;

/** What a request says about its sender. */
export interface Sender {
  readonly headers: {
    readonly forwarded?: string | undefined;
    readonly "x-forwarded-for"?: string | string[] | undefined;
  };
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const MAX_REMEMBERED = 10_000;

/**
 * Trusts the last `trustedProxies` hops and nobody beyond: the address that the outermost proxy saw is the
 * client. A client can forge the header that its proxy does not write. So if the two headers disagree,
 * neither counts.
 * @param trustedProxies how many of our proxies a request passes; each adds to `Forwarded` or
 *   `X-Forwarded-For`
 */
export function createClientOf(trustedProxies: number): ClientOf {
  /** Networks by address: parsing an IPv6 address takes longer than counting its client. */
  const networks = createBoundedCache<string>(MAX_REMEMBERED);

  return (request) => {
    if (trustedProxies > 0) {
      const addresses = chains(request).map((hops) => hops[Math.max(0, hops.length - trustedProxies)]);
      const [network, ...others] = new Set(addresses.map((hop) => networkOf(hop ?? "")));
      if (network !== undefined && others.length === 0) return network;
    }
    const { remoteAddress = "" } = request.socket;
    return networks(remoteAddress, () => networkOf(remoteAddress) ?? remoteAddress);
  };
}

/** Returns the hops in each of the two headers. */
function chains({ headers }: Sender): (string | undefined)[][] {
  const { forwarded } = headers;
  const forwardedFor = headers["x-forwarded-for"];
  return [
    ...(forwarded === undefined ? [] : [parseForwarded(forwarded) ?? [undefined]]),
    ...(typeof forwardedFor === "string" ? [parseForwardedFor(forwardedFor)] : []),
  ];
}
