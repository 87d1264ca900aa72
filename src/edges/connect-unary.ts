import type { DescMethod, DescMethodUnary, Message } from "@bufbuild/protobuf";
import {
  type ConnectError,
  createContextKey,
  createContextValues,
  createMethodImplSpec,
} from "@connectrpc/connect";
import { createUniversalMethodHandler, type UniversalServerRequest } from "@connectrpc/connect/protocol";
import { createHandlerFactory } from "@connectrpc/connect/protocol-connect";
import type { Logger } from "pino";
import type { Bound, Pipeline } from "../api/pipeline.js";
import { Problem } from "../errors.js";
import { checkEncodable } from "./connect-encodable.js";
import type { ConnectOptions, Endpoint } from "./connect-endpoint.js";

/** Hands over the message that connect-node parsed; resolves to the response to it. */
type Exchange = (request: Message) => Promise<Message>;

const exchangeKey = createContextKey<Exchange | undefined>(undefined);

/**
 * A unary method by the Connect protocol, POST and GET. connect-node parses the message before it calls us. So the
 * pipeline starts first, and connect-node gets the request when the pipeline asks for the message: whoever is not let in
 * is told so, whatever he sent, and nothing of it is read.
 */
export function createUnaryEndpoint(
  pipeline: Pipeline,
  method: DescMethod,
  options: ConnectOptions,
  log: Logger,
): Endpoint {
  const impl = createMethodImplSpec(method as DescMethodUnary, async (request, context) => {
    const exchange = context.values.get(exchangeKey);
    if (!exchange) throw new Error("a call without its pipeline");
    const response = await exchange(request);
    checkEncodable(method, response, context, log);
    return response;
  });
  const handler = createUniversalMethodHandler(impl, [createHandlerFactory(options)]);

  return {
    allowedMethods: handler.allowedMethods,
    supportsContentType: handler.supportedContentType,

    async answer(request, inbound) {
      const refuse = (error: ConnectError) => handler(refused(request, error));
      const asked = deferred<undefined>();
      const bound = deferred<Bound>();
      const response = pipeline.unary(method, inbound, () => {
        asked.resolve(undefined);
        return bound.promise;
      });
      const failure: Promise<ConnectError | undefined> = response.then(
        () => undefined,
        (error) => error,
      );
      const refusal = await Promise.race([asked.promise, failure]);
      if (refusal) return refuse(refusal);

      let isRead = false;
      const exchange: Exchange = (message) => {
        isRead = true;
        bound.resolve({ request: message });
        return response;
      };
      const answered = handler({
        ...request,
        contextValues: createContextValues().set(exchangeKey, exchange),
      });
      const answer = await Promise.race([
        answered,
        failure.then((error) => (error && !isRead ? refuse(error) : answered)), // the deadline passed while it was read
      ]);
      if (isRead) return answer;
      bound.resolve({ problem: unreadable(method, answer.status) });
      const error = await failure;
      // connect-node answers a message that can't be parsed as if that were our fault.
      return error && answer.status === 500 ? refuse(error) : answer;
    },
  };
}

/** The request in a form that makes connect-node answer with this error. */
function refused(request: UniversalServerRequest, error: ConnectError): UniversalServerRequest {
  return {
    ...request,
    method: "POST",
    header: new Headers({ "content-type": "application/json" }),
    body: failWith(error),
  };
}

// biome-ignore lint/correctness/useYield: a body that fails before its first byte
async function* failWith(error: ConnectError): AsyncIterable<Uint8Array> {
  throw error;
}

function unreadable(method: DescMethod, status: number): Problem {
  return status === 429
    ? new Problem("resource-exhausted", "The request is too large.")
    : new Problem("invalid", `The request is not a valid ${method.input.typeName}.`);
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
