import type { Metadata } from "@grpc/grpc-js";
import type { Sender } from "../http/client-address.js";

/** Returns what a gRPC call says about its sender. Proxies add to its metadata as they do to HTTP headers. */
export function senderOf(call: { readonly metadata: Metadata; getPeer(): string }): Sender {
  const peer = call.getPeer(); // includes the port, after the last colon
  const all = (name: string) => call.metadata.get(name).join(",") || undefined;
  return {
    get headers() {
      return { forwarded: all("forwarded"), "x-forwarded-for": all("x-forwarded-for") };
    },
    socket: { remoteAddress: peer.slice(0, peer.lastIndexOf(":")) },
  };
}
