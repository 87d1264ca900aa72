import type { Message } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import type { Problem } from "#foundation/errors.js";
import type { Bound } from "./inbound.js";

/** A call that passed authentication. The edge runs it once, by its method's kind, or refuses it. */
export interface AdmittedCall {
  readonly holder: SemaphoreHolder;
  unary(bound: Bound): Promise<Message>;
  serverStream(bound: Bound): AsyncIterable<Message>;
  clientStream(requests: AsyncIterable<Bound>): Promise<Message>;
  bidiStream(requests: AsyncIterable<Bound>): AsyncIterable<Message>;
  /**
   * Ends a call whose request can't be read. Has no effect after the call has ended.
   * @returns the error as the caller gets it
   */
  refuse(problem: Problem): ConnectError;
}

/** Whom a call's slots and bytes are counted for: the caller, or the network of an unknown caller. */
export interface SemaphoreHolder {
  readonly name: string;
  /** Fraction of the whole that they can get while nobody else holds any. */
  readonly share: number;
}
