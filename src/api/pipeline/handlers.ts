import type {
  DescMethodBiDiStreaming,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import type { Caller } from "#infrastructure/identity/caller.js";

/** Information about a call that isn't in its request. */
export interface Call {
  readonly caller: Caller;
  /** Aborted when the caller disconnects or the deadline passes. */
  readonly signal: AbortSignal;
  /** Like `signal`, for code that runs too often to create an `AbortSignal` each time. */
  readonly cancellation: Cancellation;
  readonly requestId: string;
  /** Network of the client: an IPv4 address, or the first 64 bits of an IPv6 address. */
  readonly client: string;
  /** Counts additional requests against the client's rate limit, for a call that costs as much as several. */
  charge(requests: number): void;
  /**
   * Records a change of an object, such as `type:3`, in the audit trail.
   * @param before undefined if the object was created
   * @param after undefined if the object was deleted
   */
  changed(object: string, before: object | undefined, after: object | undefined): void;
}

/** Returns the name under which the caller's actions are recorded. */
export function callerName(caller: Caller): string {
  return actorOf(caller).name;
}

/** The handlers of a service: one for each method, under the method's name. */
export type Handlers<S extends DescService> = {
  [M in keyof S["method"]]: Handler<S["method"][M]>;
};

type Handler<M> =
  M extends DescMethodUnary<infer I, infer O>
    ? (request: MessageShape<I>, call: Call) => Promise<MessageInitShape<O>>
    : M extends DescMethodServerStreaming<infer I, infer O>
      ? (request: MessageShape<I>, call: Call) => AsyncIterable<MessageInitShape<O>>
      : M extends DescMethodClientStreaming<infer I, infer O>
        ? (requests: AsyncIterable<MessageShape<I>>, call: Call) => Promise<MessageInitShape<O>>
        : M extends DescMethodBiDiStreaming<infer I, infer O>
          ? (requests: AsyncIterable<MessageShape<I>>, call: Call) => AsyncIterable<MessageInitShape<O>>
          : never;
