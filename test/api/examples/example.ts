import type { DescMessage, DescMethod, DescService, MessageInitShape } from "@bufbuild/protobuf";
import type { Code } from "@connectrpc/connect";
import type { Known } from "./known.js";

/** An example request, and its expected result. */
export interface Example {
  readonly method: DescMethod;
  readonly as: Caller;
  readonly what: string;
  readonly code: string;
  /** Part of the message of an expected refusal. */
  readonly says: string | undefined;
  readonly requests: (known: Known) => object[];
}

type Caller = "nobody" | "learner" | "staff" | "reader" | "platform";
type Messages<I extends DescMessage> = MessageInitShape<I> | readonly MessageInitShape<I>[];
type Row<M> = M extends { input: infer I extends DescMessage }
  ? readonly [
      what: `${Caller}: ${string}`,
      requests: Messages<I> | ((known: Known) => Messages<I>),
      refusal?: `${keyof typeof Code}: ${string}`,
    ]
  : never;

/**
 * Examples of all methods of a service, in an order in which they can be called. The first example of a method
 * succeeds, shows or changes something, and names only objects from `known`. Callers without access must be refused in
 * this example, whatever it names.
 */
export function examplesOf<S extends DescService>(
  service: S,
  rows: { readonly [M in keyof S["method"]]: readonly Row<S["method"][M]>[] },
): Example[] {
  return Object.entries<readonly Row<{ input: DescMessage }>[]>(rows).flatMap(([name, examples]) =>
    examples.map(([who, given, refusal = "OK"]) => {
      const [as, what] = cut(who);
      const [code, says] = cut(refusal);
      const requests = (known: Known) => [typeof given === "function" ? given(known) : given].flat();
      return {
        method: service.method[name] as DescMethod,
        as: as as Caller,
        what: what ?? "",
        code,
        says,
        requests,
      };
    }),
  );
}

function cut(text: string): [before: string, after?: string] {
  const at = text.indexOf(": ");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 2)];
}

export const NOT_A_PAGE = "InvalidArgument: page_token is not a token of this list";
