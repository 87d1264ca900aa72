import type { Http2Server, ServerHttp2Session, ServerOptions } from "node:http2";
import { Server as NetServer } from "node:net";
import { Server as TlsServer } from "node:tls";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { Logger } from "pino";
import type { Pipeline, PipelineDeps } from "#api/pipeline/pipeline.js";
import { type ClientOf, createClientOf } from "../http/client-address.js";
import { type ConnectionShares, connectionShares } from "../http/connection-limits.js";
import { createIdleConnections } from "../http/idle-connections.js";
import { listenProblem } from "../listen-address.js";
import { secureContext, type TlsIdentity } from "../tls.js";
import { closeEndedSessions } from "./ended-sessions.js";
import { createGoaway, type Goaway } from "./goaway.js";
import { silenceGrpcLog, takeOverGrpcLog } from "./log.js";
import { limitMetadata, metadataLimits } from "./metadata.js";
import { registerMethod } from "./method.js";
import { createRequestReadTimeout } from "./request-read-timeout.js";
import { createResponseReadTimeout } from "./response-read-timeout.js";
import { boundStandardCalls, createStandardServices } from "./standard-services.js";

export interface GrpcEdge {
  readonly port: number;
  /** Sets the status that the health service reports. The initial status is SERVING. */
  setServing(isServing: boolean): void;
  /** Stops accepting calls, waits for running calls, and terminates the remaining ones after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

const CALLS_PER_CONNECTION = 1000;

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** How many connections can be opening or closing, in addition to the limit. */
const HANDSHAKES = 500;

/** Interval of pings on idle connections. They detect clients that have vanished, whose connections are then closed. */
const KEEPALIVE_MS = 60_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

/**
 * Starts the native gRPC server. It serves every service of the pipeline, health (grpc.health.v1) and reflection (v1
 * and v1alpha).
 * @param options.port 0 picks a free port
 * @param options.maxMessageBytes maximum size of a request message, by default 4 MiB; a larger message fails with
 * RESOURCE_EXHAUSTED
 * @throws Problem `failed-precondition` if the server can't listen on the address
 */
export async function createGrpcServer(options: {
  pipeline: Pipeline;
  host: string;
  port: number;
  /** undefined disables TLS. */
  tls?: TlsIdentity | undefined;
  log: Logger;
  /** Whether to serve reflection; by default true. */
  reflects?: boolean | undefined;
  publicLimit?: PipelineDeps["publicLimit"];
  /** Called after each call to health and reflection. */
  onCall?: PipelineDeps["onCall"];
  /** By default, the client is the address that opened the connection. */
  clientOf?: ClientOf;
  maxMessageBytes?: number;
  /** Limits all requests that are still arriving. The default depends on the available memory. */
  maxBufferedBytes?: number;
  /** If all connections are in use, a new connection replaces one that has no call. The default is 1000. */
  maxConnections?: number;
  /** By default, one client may use all connections. */
  shares?: ConnectionShares;
}): Promise<GrpcEdge> {
  const {
    pipeline,
    host,
    port,
    tls,
    log,
    maxMessageBytes = 4 * 1024 * 1024,
    maxConnections = 1000,
    shares = connectionShares(1),
    reflects = true,
    clientOf = createClientOf(0),
    maxBufferedBytes,
  } = options;
  silenceGrpcLog(); // grpc-js would also log an unusable address; the error below names the setting to change
  const server = createServer(clientOf, maxMessageBytes, maxBufferedBytes);
  const { http2Servers } = server as unknown as Inside;

  registerMethods(server, pipeline, { log, clientOf });
  const standard = createStandardServices(pipeline.services, { ...options, reflects });
  for (const each of standard.pipelines) registerMethods(server, each, { log, clientOf, isLimited: true });

  const boundPort = await listen(server, host, port, tls);
  takeOverGrpcLog(log);
  const goaways = new Map<Http2Server, Goaway>();
  for (const listening of http2Servers.keys()) {
    listening.maxConnections = maxConnections + HANDSHAKES;
    boundSessions(listening, maxConnections, shares);
    limitMetadata(listening, log);
    closeEndedSessions(listening, log);
    if (tls && listening instanceof TlsServer) listening.setSecureContext(secureContext(tls));
    else goaways.set(listening, createGoaway(listening));
  }
  const close = async (deadlineMs: number) => {
    standard.setServing(false);
    standard.end();
    const announced = [...http2Servers].map(([listening, { sessions }]) => {
      stopListening(listening);
      return goaways.get(listening)?.announce(sessions);
    });
    await Promise.all(announced);
    await shutDown(server, address(host, boundPort), deadlineMs);
  };
  let closed: Promise<void> | undefined;
  return {
    port: boundPort,
    setServing: standard.setServing,
    close(deadlineMs) {
      closed ??= close(deadlineMs);
      return closed;
    },
  };
}

function createServer(
  clientOf: ClientOf,
  maxMessageBytes: number,
  maxBufferedBytes: number | undefined,
): Server {
  const server = new Server({
    interceptors: [
      boundStandardCalls,
      createRequestReadTimeout(clientOf, maxBufferedBytes),
      createResponseReadTimeout(),
    ],
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_concurrent_streams": CALLS_PER_CONNECTION,
    "grpc.keepalive_time_ms": KEEPALIVE_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
    "grpc.enable_channelz": 0,
  });
  const { commonServerOptions } = server as unknown as Inside;
  const { settings } = commonServerOptions;
  Object.assign(commonServerOptions, metadataLimits, {
    // Clients without a trusted certificate can still authenticate with a token.
    rejectUnauthorized: false,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    settings: { ...settings, ...metadataLimits.settings },
  });
  return server;
}

function registerMethods(
  server: Server,
  pipeline: Pipeline,
  options: Parameters<typeof registerMethod>[3],
): void {
  for (const { methods } of pipeline.services)
    for (const method of methods) registerMethod(server, pipeline, method, options);
}

/**
 * Stops accepting connections. In Node 24, the server's own `close` would also close all sessions immediately and
 * refuse calls in transit.
 */
function stopListening(server: Http2Server): void {
  NetServer.prototype.close.call(server);
}

/** Closes idle sessions above the limit. Keeps sessions with running calls, because calls have a limit of their own. */
function boundSessions(server: Http2Server, most: number, { share, clientAt }: ConnectionShares): void {
  const sessions = createIdleConnections<ServerHttp2Session>(most, share);
  server.on("session", (session) => {
    let calls = 0;
    session.on("stream", (stream) => {
      if (calls++ === 0) sessions.busy(session);
      stream.once("close", () => {
        if (--calls === 0) sessions.idle(session);
      });
    });
    sessions.open(session, clientAt(session.socket?.remoteAddress));
  });
}

function listen(server: Server, host: string, port: number, tls: TlsIdentity | undefined): Promise<number> {
  const credentials = tls
    ? ServerCredentials.createSsl(
        tls.clientCa ?? null,
        [{ cert_chain: tls.cert, private_key: tls.key }],
        tls.clientCa !== undefined,
      )
    : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(address(host, port), credentials, (error, boundPort) => {
      if (error) reject(listenProblem({ protocol: "gRPC", host, port, setting: "GRPC_PORT" }, error));
      else resolve(boundPort);
    });
  });
}

/** Internals of grpc-js. */
interface Inside {
  readonly commonServerOptions: ServerOptions;
  readonly http2Servers: ReadonlyMap<Http2Server, { readonly sessions: ReadonlySet<ServerHttp2Session> }>;
}

function address(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Shuts the server down. Calls `drain` to end the calls that remain after the deadline. `forceShutdown` is not used,
 * because it leaves connections open if channelz is disabled.
 */
function shutDown(server: Server, boundAddress: string, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    server.drain(boundAddress, deadlineMs);
    server.tryShutdown(() => resolve());
  });
}
