import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { parseForwarded, parseForwardedFor } from "./forwarded.js";
import { networkOf } from "./network.js";

/**
 * Returns the network that identifies the client of a request. It is the same string for all requests of one client.
 */
export type ClientOf = (request: Sender) => string;

/** The parts of a request that identify its sender. */
export interface Sender {
  readonly headers: {
    readonly forwarded?: string | undefined;
    readonly "x-forwarded-for"?: string | string[] | undefined;
  };
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const MAX_REMEMBERED = 10_000;

/**
 * Trusts the last `trustedProxies` hops only: the address that the outermost trusted proxy saw is the client. A client
 * can forge the header that its proxy doesn't write, so if the two headers disagree, neither is used.
 * @param trustedProxies number of our proxies that a request passes; each adds to `Forwarded` or `X-Forwarded-For`
 */
export function createClientOf(trustedProxies: number): ClientOf {
  /** Cached networks by address: parsing an IPv6 address takes longer than counting a request. */
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

/** Returns the hops according to each of the two headers. */
function chains({ headers }: Sender): (string | undefined)[][] {
  const { forwarded } = headers;
  const forwardedFor = headers["x-forwarded-for"];
  return [
    ...(forwarded === undefined ? [] : [parseForwarded(forwarded) ?? [undefined]]),
    ...(typeof forwardedFor === "string" ? [parseForwardedFor(forwardedFor)] : []),
  ];
}
