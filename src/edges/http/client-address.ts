import { createBoundedCache } from "../../concurrency/bounded-cache.js";
import { parseForwarded, parseForwardedFor } from "./forwarded.js";
import { networkOf } from "./network.js";

/** Tells who sent a request, by the network they are in; requests of one client give the same text. */
export type ClientOf = (request: Sender) => string;

/** What a request tells of who sent it. */
export interface Sender {
  readonly headers: {
    readonly forwarded?: string | undefined;
    readonly "x-forwarded-for"?: string | string[] | undefined;
  };
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const MAX_REMEMBERED = 10_000;

/**
 * Believes as many proxies as there are, and nobody beyond: whoever is asked directly by the outermost of them is the
 * client. A client can forge the header that his proxy does not write: where the two disagree, neither counts.
 * @param trustedProxies how many proxies of ours a request passes, each of which adds to `Forwarded` or `X-Forwarded-For`
 */
export function createClientOf(trustedProxies: number): ClientOf {
  /** By address: reading an IPv6 address takes longer than counting its client. */
  const networks = createBoundedCache<string>(MAX_REMEMBERED);

  return (request) => {
    if (trustedProxies > 0) {
      const told = chains(request).map((hops) => hops[Math.max(0, hops.length - trustedProxies)]);
      const [network, ...others] = new Set(told.map((hop) => networkOf(hop ?? "")));
      if (network !== undefined && others.length === 0) return network;
    }
    const { remoteAddress = "" } = request.socket;
    return networks(remoteAddress, () => networkOf(remoteAddress) ?? remoteAddress);
  };
}

/** The hops that each of the two headers tells of. */
function chains({ headers }: Sender): (string | undefined)[][] {
  const { forwarded } = headers;
  const forwardedFor = headers["x-forwarded-for"];
  return [
    ...(forwarded === undefined ? [] : [parseForwarded(forwarded) ?? [undefined]]),
    ...(typeof forwardedFor === "string" ? [parseForwardedFor(forwardedFor)] : []),
  ];
}
