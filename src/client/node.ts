import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { assembleClient, authorize, type ClientOptions, type LearningCredentialsClient } from "./client.js";

export type { ClientOptions, LearningCredentialsClient } from "./client.js";
export * from "./messages.js";

/** A client with one connection. The first call opens the connection, and later calls reopen it if necessary. */
export interface NodeClient extends LearningCredentialsClient {
  /** Closes the connection and cancels pending calls. An open connection keeps the process running. */
  close(): void;
}

type SessionManager = NonNullable<Parameters<typeof createGrpcTransport>[0]["sessionManager"]>;

/** Pause between pings. They detect a broken connection, which would otherwise block every call until its deadline. */
const PING_INTERVAL_MS = 20_000;

/** Creates a client for Node, which uses native gRPC over HTTP/2. */
export function createClient(options: ClientOptions): NodeClient {
  const sessionManager = new Http2SessionManager(options.baseUrl, { pingIntervalMs: PING_INTERVAL_MS });
  const transport = createGrpcTransport({
    baseUrl: options.baseUrl,
    sessionManager: quiet(sessionManager),
    interceptors: [explainWrongPort(options.baseUrl), ...authorize(options)],
  });
  return { ...assembleClient(transport, options), close: () => sessionManager.abort() };
}

/**
 * Ignores connection errors, because the calls report them. Without a listener, they would crash the caller's process.
 * The manager's own listener isn't enough: an error can be emitted again after the manager has removed its listener.
 */
function quiet(manager: Http2SessionManager): SessionManager {
  const seen = new WeakSet<object>();
  return {
    authority: manager.authority,
    notifyResponseByteRead: (stream) => manager.notifyResponseByteRead(stream),
    async request(...call) {
      const stream = await manager.request(...call);
      const { session } = stream;
      if (session && !seen.has(session)) {
        seen.add(session);
        session.on("error", () => {});
      }
      return stream;
    },
  };
}

/** Explains the error that an HTTP/2 client receives from the HTTP port, which supports only HTTP/1.1. */
function explainWrongPort(baseUrl: string): Interceptor {
  return (next) => (request) =>
    next(request).catch((error) => {
      const { cause } = ConnectError.from(error);
      const isProtocolError = cause instanceof Error && cause.message === "Protocol error";
      if (!isProtocolError) throw error;
      throw new ConnectError(
        `The server at ${baseUrl} does not speak gRPC: give the address of the service's gRPC port, such as http://127.0.0.1:50051.`,
        Code.Unavailable,
        undefined,
        undefined,
        cause,
      );
    });
}
