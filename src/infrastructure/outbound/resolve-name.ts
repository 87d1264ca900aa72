import { Resolver } from "node:dns/promises";

/** Returns all addresses of a host name. @throws the DNS error if there is none */
export type ResolveName = (name: string) => Promise<string[]>;

const TIMEOUT_MS = 2_000;
const MAX_TRIES = 2;

/**
 * Creates a function that uses only DNS. While a name server does not respond, the system's resolver would occupy a
 * thread that is also needed for files. The system's resolver also completes names, which may then lead elsewhere.
 * @param servers addresses of name servers; default: the name servers of this machine
 */
export function createResolveName(servers?: readonly string[]): ResolveName {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: MAX_TRIES });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    if (/(^|\.)localhost\.?$/i.test(name)) return ["127.0.0.1"];
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    if (addresses.length === 0 && v4.status === "rejected") throw v4.reason;
    return addresses;
  };
}
