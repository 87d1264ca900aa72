import type { DescMessage, DescMethod, DescService, MessageInitShape } from "@bufbuild/protobuf";
import type { Known } from "./known.js";

/** A call over one protocol, which has the number `door`. */
export interface Call {
  readonly method: DescMethod;
  readonly as: string;
  readonly requests: (known: Known, door: number) => object[];
}

/** A call, and its expected result. */
export interface Row extends Call {
  readonly what: string;
  readonly code: string;
  /** Part of the message of an expected refusal. */
  readonly says: string | undefined;
}

type Requests<M> = M extends { input: infer I extends DescMessage }
  ? (known: Known, door: number) => MessageInitShape<I>[]
  : never;

export function row<S extends DescService, M extends string & keyof S["method"]>(
  service: S,
  method: M,
  as: string,
  what: string,
  requests: Requests<S["method"][M]>,
  code = "OK",
  says?: string,
): Row {
  return { what, method: service.method[method] as DescMethod, as, code, says, requests };
}

export const NOT_A_PAGE = "page_token is not one of this list";
