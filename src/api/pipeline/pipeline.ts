import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { untilCancelled } from "#foundation/concurrency/cancellation.js";
import { createFairSemaphore, type FairSemaphore } from "#foundation/concurrency/semaphore.js";
import type { Access } from "#gen/learning_credentials/options/v1/options_pb.js";
import { accessRule } from "./access.js";
import { auditRule } from "./audit-rule.js";
import { boundsRule } from "./bounds-rule.js";
import { CallLifecycle } from "./call-lifecycle.js";
import type { Call, Handlers } from "./handlers.js";
import type { AdmittedCall, Inbound } from "./inbound.js";
import { MethodCall, type MethodCallDeps, type MethodRoute } from "./method-call.js";
import { createOpenWatches } from "./open-watches.js";

/**
 * The only way from an edge to a handler: `request id and log -> deadline -> limit -> authenticate -> authorize ->
 * validate -> handler -> map errors`. The pipeline first admits the call, based only on its headers. Then the edge
 * reads the request and runs the call, so the request of a caller who may not call the method is never read. Every
 * error is a `ConnectError` with a gRPC code.
 */
export interface Pipeline {
  readonly services: readonly DescService[];
  /** Admits a call of a method. Returns a promise only if authentication has to wait, for example for keys. */
  admit(method: DescMethod, inbound: Inbound): AdmittedCall | Promise<AdmittedCall>;
  /** Runs a request for a page or file. If `work` throws a `Problem`, its kind determines the code, as in a handler. */
  visit<T>(route: PublicRoute, inbound: Inbound, work: (call: Call) => Promise<T>): Promise<T>;
  /** Ends all watch streams with UNAVAILABLE, including streams that are opened later. */
  endWatches(): void;
}

/** A page or a file. Anyone may request it, but the content may depend on a signature in the URL. */
export interface PublicRoute {
  /** Name in the log and metrics. Must not contain parts of the URL, which may be secret. */
  readonly name: string;
  /** `stream`: there is no timeout, because the client may read slowly. */
  readonly kind: "unary" | "stream";
}

export interface Mount {
  readonly service: DescService;
  readonly handlers: Record<string, unknown>;
  readonly access?: Access | undefined;
}

/**
 * Pairs a service with its handlers. The compiler checks that no handler is missing.
 * @param access applies to all methods of a third-party .proto file that declares no access
 */
export function mount<S extends DescService>(service: S, handlers: Handlers<S>, access?: Access): Mount {
  return { service, handlers, access };
}

/** Maximum number of callers who wait for authentication. They don't hold a slot yet. */
const MAX_AUTHENTICATIONS = 1000;

export interface PipelineDeps extends Omit<MethodCallDeps, "authentications" | "watches"> {
  readonly mounts: readonly Mount[];
  /** Maximum number of concurrent unary calls, and of concurrent streams. The default is 1000. */
  readonly maxConcurrentCalls?: number;
}

/**
 * Creates the pipeline for these services.
 * @throws Error that names the method if it declares no access level or has no handler
 */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const { mounts, maxConcurrentCalls = 1000 } = deps;
  const unaryCalls = createFairSemaphore(maxConcurrentCalls);
  const streamCalls = createFairSemaphore(maxConcurrentCalls);
  const semaphoreOf = (isUnaryCall: boolean) => (isUnaryCall ? unaryCalls : streamCalls);
  const routes = new Map<DescMethod, MethodRoute>(
    mounts.flatMap((mounted) =>
      mounted.service.methods.map((method) => [
        method,
        createMethodRoute(method, mounted, semaphoreOf(isUnary(method))),
      ]),
    ),
  );
  const authentications = createFairSemaphore(MAX_AUTHENTICATIONS);
  const shared: MethodCallDeps = { ...deps, authentications, watches: createOpenWatches() };

  return {
    services: mounts.map(({ service }) => service),

    admit(method, inbound) {
      const route = routes.get(method);
      if (!route) throw new Error(`${method.name} is not mounted`);
      return new MethodCall(shared, route, inbound).admit();
    },

    async visit({ name, kind }, inbound, work) {
      const isUnaryCall = kind === "unary";
      const lifecycle = new CallLifecycle(
        shared,
        { name, isUnary: isUnaryCall, semaphore: semaphoreOf(isUnaryCall) },
        inbound,
      );
      try {
        lifecycle.checkLimit();
        lifecycle.acquireSlot();
        const result = await untilCancelled(inbound.cancellation, work(lifecycle));
        lifecycle.end();
        return result;
      } catch (error) {
        throw lifecycle.fail(error);
      }
    },

    endWatches: shared.watches.endAll,
  };
}

function createMethodRoute(
  method: DescMethod,
  { handlers, access }: Mount,
  semaphore: FairSemaphore,
): MethodRoute {
  const name = `${method.parent.typeName}/${method.name}`;
  const handler = handlers[method.localName];
  if (typeof handler !== "function") throw new Error(`${name} has no handler`);
  return {
    method,
    name,
    isUnary: isUnary(method),
    isWatch:
      method.methodKind === "bidi_streaming" ||
      (method.methodKind === "server_streaming" && method.name.startsWith("Watch")),
    rule: accessRule(method, access),
    audit: access === undefined ? auditRule(method) : undefined,
    bounds: boundsRule(method),
    handler: handler as MethodRoute["handler"],
    semaphore,
  };
}

function isUnary({ methodKind }: DescMethod): boolean {
  return methodKind === "unary";
}
