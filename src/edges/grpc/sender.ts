import type { Metadata } from "@grpc/grpc-js";
import type { Sender } from "../http/client-address.js";

/** Returns the sender of a gRPC call. Proxies add the same headers to gRPC metadata as to HTTP requests. */
export function senderOf(call: { readonly metadata: Metadata; getPeer(): string }): Sender {
  const peer = call.getPeer(); // the port follows the last colon
  const all = (name: string) => call.metadata.get(name).join(",") || undefined;
  return {
    get headers() {
      return { forwarded: all("forwarded"), "x-forwarded-for": all("x-forwarded-for") };
    },
    socket: { remoteAddress: peer.slice(0, peer.lastIndexOf(":")) },
  };
}
