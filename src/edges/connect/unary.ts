import type { DescMethod, DescMethodUnary } from "@bufbuild/protobuf";
import { createContextKey, createContextValues, createMethodImplSpec } from "@connectrpc/connect";
import { createAsyncIterable, createUniversalMethodHandler } from "@connectrpc/connect/protocol";
import {
  codeToHttpStatus,
  createHandlerFactory,
  errorToJsonBytes,
} from "@connectrpc/connect/protocol-connect";
import type { Logger } from "pino";
import { toRpcError } from "#api/pipeline/codes.js";
import type { AdmittedCall } from "#api/pipeline/inbound.js";
import { Problem } from "#foundation/errors.js";
import type { ConnectEndpoint, ConnectOptions } from "./endpoint.js";

interface Exchange {
  readonly call: AdmittedCall;
  state: "unread" | "running" | "answered";
}

const exchangeKey = createContextKey<Exchange | undefined>(undefined);

/** Serves a unary method over the Connect protocol, by POST and GET. */
export function createUnaryEndpoint(
  method: DescMethod,
  options: ConnectOptions,
  log: Logger,
): ConnectEndpoint {
  const impl = createMethodImplSpec(method as DescMethodUnary, async (request, { values }) => {
    const exchange = values.get(exchangeKey);
    if (!exchange) throw new Error("the call has no exchange");
    exchange.state = "running";
    const response = await exchange.call.unary({ request });
    exchange.state = "answered";
    return response;
  });
  const handler = createUniversalMethodHandler(impl, [createHandlerFactory(options)]);
  const refuse: ConnectEndpoint["refuse"] = async (_request, error) => {
    const header = new Headers(error.metadata);
    header.set("content-type", "application/json");
    const body = errorToJsonBytes(error, undefined);
    header.set("content-length", String(body.byteLength));
    return { status: codeToHttpStatus(error.code), header, body: createAsyncIterable([body]) };
  };

  return {
    allowedMethods: handler.allowedMethods,
    supportsContentType: handler.supportedContentType,
    refuse,

    async answer(request, call) {
      const exchange: Exchange = { call, state: "unread" };
      const contextValues = createContextValues().set(exchangeKey, exchange);
      const answer = await handler({ ...request, contextValues });
      if (exchange.state === "unread") {
        const error = call.refuse(unreadable(method, answer.status));
        // connect-node reports a malformed message as an error of the server.
        return answer.status === 500 ? refuse(request, error) : answer;
      }
      if (exchange.state === "answered" && answer.status === 500) {
        const err = new Error(`the response does not fit ${method.output.typeName}`);
        log.error({ method: `${method.parent.typeName}/${method.name}`, err }, "response can't be encoded");
        // connect-node would send the details of the encoding error to the caller. They belong only in the log.
        return refuse(request, toRpcError(err));
      }
      return answer;
    },
  };
}

function unreadable(method: DescMethod, status: number): Problem {
  return status === 429
    ? new Problem("resource-exhausted", "The request is too large.")
    : new Problem("invalid", `The request is not a valid ${method.input.typeName}.`);
}
