import type { Message } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import type { Problem } from "#foundation/errors.js";
import type { Bound } from "./inbound.js";

/**
 * A call that passed authentication. The edge either runs it once, with the function for its kind of method, or refuses
 * it.
 */
export interface AdmittedCall {
  readonly holder: SemaphoreHolder;
  unary(bound: Bound): Promise<Message>;
  serverStream(bound: Bound): AsyncIterable<Message>;
  clientStream(requests: AsyncIterable<Bound>): Promise<Message>;
  bidiStream(requests: AsyncIterable<Bound>): AsyncIterable<Message>;
  /**
   * Ends a call whose request can't be read. Has no effect if the call has already ended.
   * @returns the error to send to the caller
   */
  refuse(problem: Problem): ConnectError;
}

/**
 * The holder of a call's slots and bytes in the semaphores: the caller, or the client's network if the caller is
 * anonymous.
 */
export interface SemaphoreHolder {
  readonly name: string;
  /** Fraction of the total that this holder can get while nobody else holds any. */
  readonly share: number;
}
