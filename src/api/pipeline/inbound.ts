import type { Message } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import type { Problem } from "#foundation/errors.js";
import type { PresentedCredentials } from "#infrastructure/identity/caller.js";

/** A call as an edge received it. */
export interface Inbound {
  readonly credentials: PresentedCredentials;
  /** Cancelled by the edge when the caller disconnects, or by the pipeline when the deadline passes. */
  readonly cancellation: Cancellation;
  /** Timeout requested by the caller, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The id that `acceptRequestId` returned. */
  readonly requestId: string;
  /** Returns the request header with this lower-case name. Used for the caller's trace context. */
  readonly header?: (name: string) => string | undefined;
  /** Network of the client, from `createClientOf`. */
  readonly client: string;
  /**
   * Whether the public rate limit applies. On the gRPC port, it applies only to health checks and reflection, because
   * the platform's own services make the other calls.
   */
  readonly isLimited: boolean;
}

/** A request as an edge decoded it: the readable part of the message, and the first problem, if any. */
export interface DecodedRequest {
  readonly request?: Message | undefined;
  readonly problem?: Problem | undefined;
}

/**
 * A call whose caller may call the method. The edge calls either the function for the method's kind, once, or `refuse`.
 */
export interface AdmittedCall {
  readonly holder: SemaphoreHolder;
  unary(decoded: DecodedRequest): Promise<Message>;
  serverStream(decoded: DecodedRequest): AsyncIterable<Message>;
  clientStream(requests: AsyncIterable<DecodedRequest>): Promise<Message>;
  bidiStream(requests: AsyncIterable<DecodedRequest>): AsyncIterable<Message>;
  /**
   * Ends a call whose request can't be read. Does nothing if the call has already ended.
   * @returns the error to send to the caller
   */
  refuse(problem: Problem): ConnectError;
}

/** The holder of a call's slot in a semaphore: the caller or, for anonymous callers, the client's network. */
export interface SemaphoreHolder {
  readonly name: string;
  /** Maximum fraction of the slots that this holder can use while there are no other holders. */
  readonly share: number;
}
