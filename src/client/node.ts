import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { assembleClient, authorize, type ClientOptions, type LearningCredentialsClient } from "./client.js";

export type { ClientOptions, LearningCredentialsClient } from "./client.js";
export * from "./messages.js";

/** A client with a connection, which calls open where there is none. */
export interface NodeClient extends LearningCredentialsClient {
  /** Ends the connection, and calls under way with it. Until then it keeps the process running. */
  close(): void;
}

/** So often a connection is tried: one that was dropped in silence would hold up every call until its deadline. */
const PING_INTERVAL_MS = 20_000;

/** A client for services: native gRPC, over HTTP/2. */
export function createClient(options: ClientOptions): NodeClient {
  const sessionManager = new Http2SessionManager(options.baseUrl, { pingIntervalMs: PING_INTERVAL_MS });
  const transport = createGrpcTransport({
    baseUrl: options.baseUrl,
    sessionManager,
    interceptors: authorize(options),
  });
  return { ...assembleClient(transport, options), close: () => sessionManager.abort() };
}
