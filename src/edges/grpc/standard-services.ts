import type { DescService } from "@bufbuild/protobuf";
import type { ServerInterceptor } from "@grpc/grpc-js";
import { createPipeline, type PipelineDeps } from "#api/pipeline/pipeline.js";
import { anonymous } from "#infrastructure/identity/caller.js";
import { createHealth } from "./health.js";
import { reflectionOn } from "./reflection.js";

/** For load balancers and similar clients; each holds one or two calls. */
const MAX_HEALTH_CALLS = 200;
/** For people who explore the API. Each call may occupy a megabyte. */
const MAX_REFLECTION_CALLS = 50;

/**
 * Creates health and reflection, which generic clients expect on every gRPC port, on separate pipelines. Anyone may
 * call them, so they must not use up the slots of other calls. Reflection counts towards the public rate limit. Health
 * does not, because an orchestrator replaces a server whose health check is refused.
 * @param options.reflects whether to serve reflection
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
    /** Ends the open streams, and any that open later. */
    end(): void {
      for (const pipeline of pipelines) pipeline.endWatches();
    },
  };
}

/** Such a request contains only one or two names. */
const MAX_REQUEST_BYTES = 1024;

/** Limits the request size of these services. */
export const boundStandardCalls: ServerInterceptor = ({ path }, call) => {
  if (path.startsWith("/grpc.")) {
    const inside = call as unknown as InsideCall;
    inside.decoder.maxReadMessageLength = MAX_REQUEST_BYTES;
    inside.maxReceiveMessageSize = MAX_REQUEST_BYTES;
  }
  return call as ReturnType<ServerInterceptor>;
};

/** grpc-js internals, because the limit can't be set for a single call. */
interface InsideCall {
  readonly decoder: { maxReadMessageLength: number };
  maxReceiveMessageSize: number;
}
