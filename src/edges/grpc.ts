import type { Server as NetServer } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";
import { HealthImplementation, service as healthService } from "grpc-health-check";
import type { Logger } from "pino";
import { Health } from "../../gen/health/v1/health_pb.js";
import type { Pipeline } from "../api/pipeline.js";
import { fileDescriptors } from "./file-descriptors.js";
import { createArrivals } from "./grpc-arrivals.js";
import { registerMethod } from "./grpc-method.js";
import { listenProblem } from "./listen-problem.js";
import type { TlsIdentity } from "./tls.js";

/** The native gRPC door, open. */
export interface GrpcEdge {
  readonly port: number;
  /** What the health service answers from now on, overall and for each service. Serving from the start. */
  setServing(isServing: boolean): void;
  /** Takes no more calls and waits for those under way, the rest of which it cuts off after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

const CALLS_PER_CONNECTION = 1000;

/** An idle connection is asked for a sign of life this often, so that watchers that vanished do not stay for ever. */
const KEEPALIVE_MS = 60_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;

/**
 * Opens the native gRPC door: every service of the pipeline, health (grpc.health.v1) and reflection (v1 and v1alpha).
 * @param options.port 0 picks a free one
 * @param options.maxMessageBytes largest request message; a larger one is RESOURCE_EXHAUSTED. Default: 4 MiB
 * @throws Problem `failed-precondition` when it can't listen there
 */
export async function createGrpcServer(options: {
  pipeline: Pipeline;
  host: string;
  port: number;
  /** undefined: without TLS. */
  tls?: TlsIdentity | undefined;
  log: Logger;
  maxMessageBytes?: number;
  /** One more is refused. Default: 1000 */
  maxConnections?: number;
}): Promise<GrpcEdge> {
  const {
    pipeline,
    host,
    port,
    tls,
    log,
    maxMessageBytes = 4 * 1024 * 1024,
    maxConnections = 1000,
  } = options;
  const server = new Server({
    interceptors: [createArrivals().watch],
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_concurrent_streams": CALLS_PER_CONNECTION,
    "grpc.keepalive_time_ms": KEEPALIVE_MS,
    "grpc.keepalive_timeout_ms": KEEPALIVE_TIMEOUT_MS,
    "grpc.enable_channelz": 0,
  });

  for (const service of pipeline.services) {
    for (const method of service.methods) registerMethod(server, pipeline, method, log);
  }
  const health = addHealth(server, pipeline);
  addReflection(server, pipeline);

  const boundPort = await listen(server, host, port, tls);
  limitConnections(server, maxConnections);
  return {
    port: boundPort,
    setServing: health.setServing,
    close(deadlineMs) {
      health.setServing(false);
      return shutDown(server, address(host, boundPort), deadlineMs);
    },
  };
}

function addHealth(server: Server, pipeline: Pipeline): Pick<GrpcEdge, "setServing"> {
  const health = new HealthImplementation();
  health.addToServer(server);
  const names = ["", ...pipeline.services.map((service) => service.typeName)];
  const setServing = (isServing: boolean) => {
    for (const name of names) health.setStatus(name, isServing ? "SERVING" : "NOT_SERVING");
  };
  setServing(true);
  return { setServing };
}

/**
 * Reflection reads nothing of a package definition but its file descriptors; of its own accord it takes only
 * proto-loader's. Those that grpc-health-check was built with name their types so that clients can't resolve them.
 */
function addReflection(server: Server, pipeline: Pipeline): void {
  const carrier = healthService.Check?.requestType;
  if (!carrier) throw new Error("grpc-health-check has no method Check");
  const fileDescriptorProtos = fileDescriptors([...pipeline.services, Health]);
  new ReflectionService({ all: { ...carrier, fileDescriptorProtos } }).addToServer(server);
}

function listen(server: Server, host: string, port: number, tls: TlsIdentity | undefined): Promise<number> {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ cert_chain: tls.cert, private_key: tls.key }])
    : ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(address(host, port), credentials, (error, boundPort) => {
      if (error) reject(listenProblem({ protocol: "gRPC", host, port, setting: "GRPC_PORT" }, error));
      else resolve(boundPort);
    });
  });
}

/** grpc-js has no option for it, and no other way to the servers that listen for it. */
function limitConnections(server: Server, most: number): void {
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<NetServer, unknown> };
  for (const listening of http2Servers.keys()) listening.maxConnections = most;
}

function address(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** `drain` cuts off what is left; `forceShutdown` forgets the connections of a server without channelz. */
function shutDown(server: Server, boundAddress: string, deadlineMs: number): Promise<void> {
  return new Promise((resolve) => {
    server.drain(boundAddress, deadlineMs);
    server.tryShutdown(() => resolve());
  });
}
