import type { Message } from "@bufbuild/protobuf";
import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import type { Problem } from "#foundation/errors.js";
import type { PresentedCredentials } from "#infrastructure/identity/caller.js";

/** A call as an edge received it. */
export interface Inbound {
  readonly credentials: PresentedCredentials;
  /** The edge cancels it when the caller disconnects, the pipeline when the deadline passes. */
  readonly cancellation: Cancellation;
  /** Timeout that the caller requested, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The result of `acceptRequestId`. */
  readonly requestId: string;
  /** Returns a request header by its lower-case name. Callers send their trace context in headers. */
  readonly header?: (name: string) => string | undefined;
  /** Network that sent the request, as returned by `createClientOf`. */
  readonly client: string;
  /**
   * Whether the call counts toward the rate limit of public methods. The gRPC port is for the platform's own
   * services, which have no limit.
   */
  readonly isLimited: boolean;
}

/** A request as an edge decoded it: the message as far as it could be read, and the first problem, if any. */
export interface Bound {
  readonly request?: Message | undefined;
  readonly problem?: Problem | undefined;
}
