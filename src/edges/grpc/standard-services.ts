import type { DescService } from "@bufbuild/protobuf";
import type { ServerInterceptor } from "@grpc/grpc-js";
import { createPipeline, type PipelineDeps } from "#api/pipeline/pipeline.js";
import { anonymous } from "#infrastructure/identity/caller.js";
import { createHealth } from "./health.js";
import { reflectionOn } from "./reflection.js";

/** Enough for load balancers and similar clients, which hold one or two calls each. */
const MAX_HEALTH_CALLS = 200;
/** Each call may occupy a megabyte. Only people who explore the API use reflection. */
const MAX_REFLECTION_CALLS = 50;

/**
 * Creates health and reflection on separate pipelines. Anyone may call them, so they must not use up the slots of other
 * calls. Reflection counts towards the public rate limit. Health doesn't, because an orchestrator would replace a
 * server that refuses its health check.
 */
export function createStandardServices(
  services: readonly DescService[],
  options: Pick<PipelineDeps, "publicLimit" | "onCall" | "log"> & { readonly reflects: boolean },
) {
  const { reflects, publicLimit, onCall, log } = options;
  const parts = { authenticate: () => anonymous, onCall, log };
  const health = createHealth(services);
  const pipelines = [
    createPipeline({ ...parts, mounts: [health.mount], maxConcurrentCalls: MAX_HEALTH_CALLS }),
  ];
  if (reflects) {
    const mounts = reflectionOn([...services, health.mount.service]);
    pipelines.push(
      createPipeline({ ...parts, mounts, maxConcurrentCalls: MAX_REFLECTION_CALLS, publicLimit }),
    );
  }
  return {
    pipelines,
    setServing: health.setServing,
    /** Ends all current and future streams. */
    end(): void {
      for (const pipeline of pipelines) pipeline.endWatches();
    },
  };
}

/** Enough for a request, which contains one or two names. */
const MAX_REQUEST_BYTES = 1024;

export const boundStandardCalls: ServerInterceptor = ({ path }, call) => {
  if (path.startsWith("/grpc.")) {
    const inside = call as unknown as InsideCall;
    inside.decoder.maxReadMessageLength = MAX_REQUEST_BYTES;
    inside.maxReceiveMessageSize = MAX_REQUEST_BYTES;
  }
  return call as ReturnType<ServerInterceptor>;
};

/** Internals of grpc-js. Its options can't limit an individual call. */
interface InsideCall {
  readonly decoder: { maxReadMessageLength: number };
  maxReceiveMessageSize: number;
}
