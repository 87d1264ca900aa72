import type { DescService } from "@bufbuild/protobuf";
import type { ServerInterceptor } from "@grpc/grpc-js";
import { anonymous } from "../../identity/caller.js";
import { createPipeline, type Pipeline, type PipelineDeps } from "../../pipeline/pipeline.js";
import { createHealth } from "./health.js";
import { reflectionOn } from "./reflection.js";

/** What every gRPC port is asked for, by programs that know nothing of it: health, and reflection. */
export interface StandardServices {
  readonly pipelines: readonly Pipeline[];
  /** What health answers from now on. */
  setServing(isServing: boolean): void;
  /** Ends the streams, and those still to come. */
  end(): void;
}

/** Load balancers and their like; each holds one or two. */
const MAX_HEALTH_CALLS = 200;
/** Of people who look around. Each may keep a megabyte busy. */
const MAX_REFLECTION_CALLS = 50;

/**
 * Builds them on pipelines of their own: anybody may call them, and nobody shall thereby take the places of other calls.
 * Reflection counts for the rate limit of what is public; health does not, as a server that is not answered is replaced.
 * @param options.reflects whether there is reflection
 */
export function createStandardServices(
  services: readonly DescService[],
  options: Pick<PipelineDeps, "publicLimit" | "onCall" | "log"> & { readonly reflects: boolean },
): StandardServices {
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
    end() {
      for (const pipeline of pipelines) pipeline.endWatches();
    },
  };
}

/** A request is a name or two. */
const MAX_REQUEST_BYTES = 1024;

/** Bounds the requests of these services. */
export const boundStandardCalls: ServerInterceptor = ({ path }, call) => {
  if (path.startsWith("/grpc.")) {
    const inside = call as unknown as InsideCall;
    inside.decoder.maxReadMessageLength = MAX_REQUEST_BYTES;
    inside.maxReceiveMessageSize = MAX_REQUEST_BYTES;
  }
  return call as ReturnType<ServerInterceptor>;
};

/** What grpc-js gives no way to set for one call. */
interface InsideCall {
  readonly decoder: { maxReadMessageLength: number };
  maxReceiveMessageSize: number;
}
