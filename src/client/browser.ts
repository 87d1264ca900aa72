import { getOption } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Access, access } from "#gen/learning_credentials/options/v1/options_pb.js";
import { assembleClient, authorize, type ClientOptions, type LearningCredentialsClient } from "./client.js";

export type { ClientOptions, LearningCredentialsClient } from "./client.js";
export * from "./messages.js";

/**
 * Creates a client for browsers. It uses Connect over `fetch`. Without a token, calls without side effects use GET and
 * are authenticated by the platform's cookies. Methods that take a stream, such as `uploadAsset`, fail, because
 * browsers can't send request streams.
 */
export function createClient(options: ClientOptions): LearningCredentialsClient {
  const hasToken = options.token !== undefined;
  const transport = connectTransport(options, hasToken ? "same-origin" : "include");
  // Public methods allow any origin, but browsers accept such a response only if the request had no cookies.
  const anonymous = connectTransport(options, "same-origin");
  const byAccess: Transport = {
    unary: (method, ...call) =>
      (getOption(method, access) === Access.PUBLIC ? anonymous : transport).unary(method, ...call),
    stream: (...call) => transport.stream(...call),
  };
  return assembleClient(byAccess, options);
}

function connectTransport(options: ClientOptions, credentials: "same-origin" | "include"): Transport {
  return createConnectTransport({
    baseUrl: options.baseUrl,
    useHttpGet: options.token === undefined,
    interceptors: authorize(options),
    fetch: (input, init) => fetch(input, { ...init, credentials }),
  });
}
