import { connect, isIP, type Socket } from "node:net";
import { AddressRefusal, addressRefusal, type Guard, guardedLookup } from "./guard.js";

interface Destination {
  /** A host name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether all confidential data will be encrypted. Otherwise, only addresses in allowed networks can be reached. */
  readonly isTls: boolean;
  readonly timeoutMs: number;
}

/**
 * Connects to an address that users have entered.
 * @param guard decides which addresses are allowed; undefined: all
 * @throws AddressRefusal if the address isn't allowed, or the error of the socket
 */
export function connectGuarded(
  guard: Guard | undefined,
  { host, port, isTls, timeoutMs }: Destination,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const refusalOf = (address: string) => guard && addressRefusal(address, isTls, guard.rule);
    const refusal = isIP(host) === 0 ? undefined : refusalOf(host);
    if (refusal !== undefined) throw new AddressRefusal(refusal);
    const socket = connect({ host, port, ...(guard && { lookup: guardedLookup(guard, isTls) }) });
    const fail = (error: Error) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(new AddressRefusal("connecting took too long", "timeout")),
      timeoutMs,
    );
    socket.once("error", fail);
    socket.once("connect", () => {
      const later = refusalOf(socket.remoteAddress ?? "");
      if (later !== undefined) return fail(new AddressRefusal(later));
      clearTimeout(timer);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}
