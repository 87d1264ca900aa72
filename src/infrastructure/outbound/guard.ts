import type { ClientRequest } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { AddressRule } from "./address-rule.js";
import type { ResolveName } from "./resolve-name.js";

/** Decides where requests may go, and finds the addresses of names. */
export interface Guard {
  readonly rule: AddressRule;
  readonly resolveName: ResolveName;
}

/** Thrown while connecting. The message has the reason, in the words of this service. */
export class Refusal extends Error {}

/** Returns the address in a URL, without brackets; undefined if it has a name. */
function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 ? undefined : host;
}

/**
 * Returns why a URL that has an IP address or lacks TLS can't be used; undefined if it can. An IP address is never
 * looked up, so it is checked here.
 */
export function literalRefusal(url: URL, rule: AddressRule): string | undefined {
  const address = literalAddress(url);
  const refusal = address === undefined ? undefined : refusalOf(address, rule);
  if (refusal !== undefined) return refusal;
  if (url.protocol === "http:" && address !== undefined && !rule.isInAllowedNetwork(address))
    return unencrypted(rule);
  return undefined;
}

/** The hosts file is not read, because it could lead into this machine's own network. */
const NO_ADDRESS = "DNS has no address for its name (/etc/hosts is not read)";

/**
 * Creates a look-up that checks every address of a host name. The connection uses the checked address, so a change of
 * the DNS record has no effect.
 * @param isTls whether the request is encrypted: otherwise only addresses in allowed networks are accepted
 */
export function guardedLookup({ rule, resolveName }: Guard, isTls: boolean): LookupFunction {
  async function addressesOf(hostname: string): Promise<string[]> {
    const found = await resolveName(hostname).catch(() => {
      throw new Refusal(NO_ADDRESS);
    });
    if (found.length === 0) throw new Refusal(NO_ADDRESS);
    for (const address of found) {
      const refusal = refusalOf(address, rule);
      if (refusal !== undefined) throw new Refusal(refusal);
    }
    if (!isTls && !found.every(rule.isInAllowedNetwork)) throw new Refusal(unencrypted(rule));
    return found;
  }
  return (hostname, options, callback) => {
    addressesOf(hostname).then(
      (found) => {
        const all = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = all;
        if (options.all) callback(null, all);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error) => callback(error, "", undefined),
    );
  };
}

/**
 * Checks, before a request is written, that its connection leads to an address that the rule allows; if not, destroys
 * the request with a Refusal. A reused connection was checked when it was opened.
 */
export function refusePeer(request: ClientRequest, rule: AddressRule): void {
  request.on("socket", (socket) => {
    if (!socket.connecting) return;
    socket.prependOnceListener("connect", () => {
      const refusal = refusalOf(socket.remoteAddress ?? "", rule);
      if (refusal !== undefined) request.destroy(new Refusal(refusal));
    });
  });
}

function refusalOf(address: string, rule: AddressRule): string | undefined {
  const kind = rule.refusalOf(address);
  if (kind === undefined) return undefined;
  return (
    `its address is not public (${kind}): requests go to public addresses, and into networks that ` +
    `${rule.setting} names.`
  );
}

function unencrypted({ setting }: AddressRule): string {
  return `http:// is only possible into networks that ${setting} names: use https://.`;
}
