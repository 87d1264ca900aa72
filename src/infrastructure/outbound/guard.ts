import type { ClientRequest } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { AddressRule } from "./address-rule.js";
import type { ResolveName } from "./resolve-name.js";

/** Decides where requests may go, and finds the addresses of names. */
export interface Guard {
  readonly rule: AddressRule;
  readonly resolveName: ResolveName;
}

/** Thrown while connecting. The message is in the words of this service. */
export class AddressRefusal extends Error {
  constructor(
    message: string,
    /** undefined: the address isn't allowed, or the response is invalid. */
    readonly reason?: "no-address" | "timeout",
  ) {
    super(message);
  }
}

function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 ? undefined : host;
}

/**
 * Returns why a URL with an IP address can't be used; undefined if it can be used, or if the URL has a host name. An IP
 * address is never looked up, so it is checked here.
 */
export function literalRefusal(url: URL, rule: AddressRule): string | undefined {
  const address = literalAddress(url);
  return address && addressRefusal(address, url.protocol !== "http:", rule);
}

/** Returns why nothing may connect to an address; undefined if it is allowed. */
export function addressRefusal(address: string, isTls: boolean, rule: AddressRule): string | undefined {
  return (
    refusalOf(address, rule) ?? (isTls || rule.isInAllowedNetwork(address) ? undefined : unencrypted(rule))
  );
}

/** The hosts file is not read, because it could lead into this machine's own network. */
const NO_ADDRESS = "DNS has no address for its name (/etc/hosts is not read)";

/**
 * Creates a look-up that checks every address of a host name. The connection uses the checked address, so a change of
 * the DNS record has no effect.
 * @param isTls whether the request is encrypted; otherwise, only addresses in allowed networks are accepted
 */
export function guardedLookup({ rule, resolveName }: Guard, isTls: boolean): LookupFunction {
  async function addressesOf(hostname: string): Promise<string[]> {
    const found = await resolveName(hostname).catch(() => {
      throw new AddressRefusal(NO_ADDRESS, "no-address");
    });
    if (found.length === 0) throw new AddressRefusal(NO_ADDRESS, "no-address");
    for (const address of found) {
      const refusal = refusalOf(address, rule);
      if (refusal !== undefined) throw new AddressRefusal(refusal);
    }
    if (!isTls && !found.every(rule.isInAllowedNetwork)) throw new AddressRefusal(unencrypted(rule));
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
 * Checks the address of a connection before a request is written. If the rule doesn't allow it, destroys the request
 * with an AddressRefusal. A reused connection was checked when it was opened.
 */
export function refusePeer(request: ClientRequest, rule: AddressRule): void {
  request.on("socket", (socket) => {
    if (!socket.connecting) return;
    socket.prependOnceListener("connect", () => {
      const refusal = refusalOf(socket.remoteAddress ?? "", rule);
      if (refusal !== undefined) request.destroy(new AddressRefusal(refusal));
    });
  });
}

/** Returns why the rule forbids an address; undefined if it allows the address. Doesn't check for encryption. */
function refusalOf(address: string, rule: AddressRule): string | undefined {
  const kind = rule.refusalOf(address);
  if (kind === undefined) return undefined;
  return `its address is not public (${kind}): requests are only sent to public addresses, and to networks in ${rule.setting}`;
}

function unencrypted({ setting }: AddressRule): string {
  return `connections without TLS are only allowed to networks in ${setting}: use TLS (in URLs, https://)`;
}
