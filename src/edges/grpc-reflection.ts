import type { Server } from "@grpc/grpc-js";
import type { Logger } from "pino";
import { Health } from "../../gen/health/v1/health_pb.js";
import type { Pipeline } from "../api/pipeline.js";
import { fileDescriptors } from "./file-descriptors.js";
import { registerOnDemand, type ServiceAdder } from "./grpc-on-demand.js";

const METHODS = [
  { path: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", type: "bidi" },
  { path: "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", type: "bidi" },
] as const;

/** Adds reflection (v1 and v1alpha) on the services of the pipeline, and on health. */
export function addReflection(server: Server, pipeline: Pipeline, log: Logger): void {
  registerOnDemand(server, METHODS, (to) => addPackage(to, pipeline), log);
}

/**
 * The package reads nothing of a definition but its file descriptors; of its own accord it takes only proto-loader's. Those
 * that grpc-health-check was built with name their types so that clients can't resolve them.
 */
async function addPackage(to: ServiceAdder, pipeline: Pipeline): Promise<void> {
  const [{ ReflectionService }, { service: healthService }] = await Promise.all([
    import("@grpc/reflection"),
    import("grpc-health-check"),
  ]);
  const carrier = healthService.Check?.requestType;
  if (!carrier) throw new Error("grpc-health-check has no method Check");
  const fileDescriptorProtos = fileDescriptors([...pipeline.services, Health]);
  new ReflectionService({ all: { ...carrier, fileDescriptorProtos } }).addToServer(to);
}
