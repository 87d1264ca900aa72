import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { untilCancelled } from "#foundation/concurrency/cancellation.js";
import { createFairSemaphore, type FairSemaphore } from "#foundation/concurrency/semaphore.js";
import type { Access } from "#gen/learning_credentials/options/v1/options_pb.js";
import { accessRule } from "./access.js";
import type { AdmittedCall } from "./admitted-call.js";
import { auditRule } from "./audit-rule.js";
import { boundsRule } from "./bounds-rule.js";
import { CallLifecycle } from "./call-lifecycle.js";
import type { Call, Handlers } from "./handlers.js";
import type { Inbound } from "./inbound.js";
import { MethodCall, type MethodCallDeps, type MethodRoute } from "./method-call.js";
import { createOpenWatches } from "./open-watches.js";

/**
 * The only way to a handler, for every edge:
 * `request id and log -> deadline -> limit -> authenticate -> authorize -> validate -> handler -> map
 * errors`.
 * An edge has a call admitted by its headers alone, then reads the request, then runs the call. So nothing is
 * read from callers who may not call. Every error is a `ConnectError` with the gRPC code.
 */
export interface Pipeline {
  readonly services: readonly DescService[];
  /** Admits the call of a method. Returns a promise only if the caller must be looked up. */
  admit(method: DescMethod, inbound: Inbound): AdmittedCall | Promise<AdmittedCall>;
  /**
   * Runs a request for a page or file through all stages. A `Problem` that `work` throws decides the code, as
   * in a handler.
   */
  visit<T>(route: PublicRoute, inbound: Inbound, work: (call: Call) => Promise<T>): Promise<T>;
  /** Ends watch streams with UNAVAILABLE, open ones and those still to come. */
  endWatches(): void;
}

/** A page or a file. Everyone may request it, though a signature in the URL may decide what they get. */
export interface PublicRoute {
  /** Name for log and metrics. It contains nothing of the URL, which may be a secret. */
  readonly name: string;
  /** A stream has no timeout of its own: it may take as long as its reader does. */
  readonly kind: "unary" | "stream";
}

/** A service with its handlers. */
export interface Mount {
  readonly service: DescService;
  readonly handlers: Record<string, unknown>;
  readonly access?: Access | undefined;
}

/**
 * Pairs a service with its handlers; the compiler checks that none is missing.
 * @param access applies to all methods of a .proto that is not ours and can't declare it
 */
export function mount<S extends DescService>(service: S, handlers: Handlers<S>, access?: Access): Mount {
  return { service, handlers, access };
}

/** How many callers may wait for authentication at a time. They hold no slot yet. */
const MAX_AUTHENTICATIONS = 1000;

/** Dependencies of the pipeline. */
export interface PipelineDeps extends Omit<MethodCallDeps, "authentications" | "watches"> {
  readonly mounts: readonly Mount[];
  /** How many unary calls may run at a time, and how many streams. Default: 1000 */
  readonly maxConcurrentCalls?: number;
}

/**
 * Builds the pipeline for these services.
 * @throws Error naming the method if one declares no access or has no handler
 */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const { mounts, maxConcurrentCalls = 1000 } = deps;
  const unaryCalls = createFairSemaphore(maxConcurrentCalls);
  const streamCalls = createFairSemaphore(maxConcurrentCalls);
  const semaphoreOf = (isUnary: boolean) => (isUnary ? unaryCalls : streamCalls);
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
      const isUnary = kind === "unary";
      const lifecycle = new CallLifecycle(
        shared,
        { name, isUnary, semaphore: semaphoreOf(isUnary) },
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
