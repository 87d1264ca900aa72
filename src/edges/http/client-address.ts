import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { parseForwarded, parseForwardedFor } from "./forwarded.js";
import { networkOf } from "./network.js";

/** Returns the network of the client that sends a request. It identifies the client in rate limits. */
export type ClientOf = (request: Sender) => string;

export interface Sender {
  readonly headers: {
    readonly forwarded?: string | undefined;
    readonly "x-forwarded-for"?: string | string[] | undefined;
  };
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const MAX_CACHED = 10_000;

/**
 * Returns the function that finds the client of a request: the address that connected to the outermost trusted proxy.
 * Each proxy sets `Forwarded` or `X-Forwarded-For`, and a client can forge the one that the proxies don't set. If the
 * two headers disagree, neither is used.
 * @param trustedProxies number of our proxies through which a request passes; each adds an address to one of the
 * headers
 */
export function createClientOf(trustedProxies: number): ClientOf {
  /** Networks by address. Parsing an IPv6 address takes longer than counting a request. */
  const networks = createBoundedCache<string>(MAX_CACHED);

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

function chains({ headers }: Sender): (string | undefined)[][] {
  const { forwarded } = headers;
  const forwardedFor = headers["x-forwarded-for"];
  return [
    ...(forwarded === undefined ? [] : [parseForwarded(forwarded) ?? [undefined]]),
    ...(typeof forwardedFor === "string" ? [parseForwardedFor(forwardedFor)] : []),
  ];
}
