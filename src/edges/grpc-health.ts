import type { Server } from "@grpc/grpc-js";
import type { HealthImplementation } from "grpc-health-check";
import type { Logger } from "pino";
import type { Pipeline } from "../api/pipeline.js";
import { registerOnDemand } from "./grpc-on-demand.js";

/** The health service (grpc.health.v1). */
export interface GrpcHealth {
  /** What it answers from now on, overall and for each service. Serving from the start. */
  setServing(isServing: boolean): void;
}

const METHODS = [
  { path: "/grpc.health.v1.Health/Check", type: "unary" },
  { path: "/grpc.health.v1.Health/List", type: "unary" },
  { path: "/grpc.health.v1.Health/Watch", type: "serverStream" },
] as const;

export function addHealth(server: Server, pipeline: Pipeline, log: Logger): GrpcHealth {
  const names = ["", ...pipeline.services.map((service) => service.typeName)];
  let isServing = true;
  let health: HealthImplementation | undefined;
  const tell = () => {
    for (const name of names) health?.setStatus(name, isServing ? "SERVING" : "NOT_SERVING");
  };
  const load = async (to: Parameters<HealthImplementation["addToServer"]>[0]) => {
    const { HealthImplementation } = await import("grpc-health-check");
    health = new HealthImplementation();
    tell();
    health.addToServer(to);
  };
  registerOnDemand(server, METHODS, load, log);
  return {
    setServing(serving) {
      isServing = serving;
      tell();
    },
  };
}
