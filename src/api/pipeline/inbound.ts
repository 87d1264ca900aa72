import type { Message } from "@bufbuild/protobuf";
import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import type { Problem } from "#foundation/errors.js";
import type { PresentedCredentials } from "#infrastructure/identity/caller.js";

/** A call as an edge received it. */
export interface Inbound {
  readonly credentials: PresentedCredentials;
  /** Cancelled by the edge when the caller disconnects, and by the pipeline when the deadline passes. */
  readonly cancellation: Cancellation;
  /** Timeout that the caller requested, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** As returned by `acceptRequestId`. */
  readonly requestId: string;
  /** Returns a request header by its lower-case name. Used to read the caller's trace context. */
  readonly header?: (name: string) => string | undefined;
  /** Network that sent the request, as returned by `createClientOf`. */
  readonly client: string;
  /**
   * Whether the call counts towards the rate limit for public methods. False on the gRPC port, which is for the
   * platform's own services.
   */
  readonly isLimited: boolean;
}

/** A request as an edge decoded it: the message as far as it could be read, and the first problem found, if any. */
export interface Bound {
  readonly request?: Message | undefined;
  readonly problem?: Problem | undefined;
}
