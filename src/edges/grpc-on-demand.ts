import { type Server, type ServiceDefinition, status, type UntypedHandleCall } from "@grpc/grpc-js";
import type { Logger } from "pino";

/** A method by its path, `/package.Service/Method`. */
export interface MethodOnDemand {
  readonly path: string;
  readonly type: "unary" | "serverStream" | "bidi";
}

/** How packages for grpc-js add their services. */
export type ServiceAdder = Pick<Server, "addService">;

/**
 * Registers methods that a package answers, which is loaded with the first call of one: those for health and reflection
 * take a sixth of a second together, and many servers are never asked.
 * @param load adds the services that have these methods
 */
export function registerOnDemand(
  server: Server,
  methods: readonly MethodOnDemand[],
  load: (to: ServiceAdder) => Promise<void>,
  log: Logger,
): void {
  let loading: Promise<ReadonlyMap<string, Loaded>> | undefined;
  for (const { path, type } of methods) {
    let method: Loaded | undefined;

    async function hand(call: AnyCall, respond: Respond): Promise<void> {
      loading ??= collect(load);
      method = (await loading).get(path);
      if (!method) throw new Error(`nothing answers ${path}`);
      if (call.cancelled) return;
      // The request of a stream is read when the package asks for it, any other was read before.
      if (type !== "bidi") call.request = method.requestDeserialize(call.request as Buffer);
      (method.handle as (call: AnyCall, respond: Respond) => void)(call, respond);
    }

    const handle = (call: AnyCall, respond: Respond) => {
      hand(call, respond).catch((error) => {
        log.error({ method: path, err: error }, "call failed");
        const failure = { code: status.INTERNAL, details: "internal error" };
        if (type === "unary") respond(failure);
        else call.emit("error", failure);
      });
    };
    server.register(
      path,
      handle as UntypedHandleCall,
      (response: unknown) => (method as Loaded).responseSerialize(response),
      (bytes) => (type === "bidi" ? (method as Loaded).requestDeserialize(bytes) : bytes),
      type,
    );
  }
}

type Loaded = ServiceDefinition[string] & { readonly handle: UntypedHandleCall };
type Respond = (failure: { code: status; details: string }) => void;

interface AnyCall {
  request: unknown;
  readonly cancelled: boolean;
  emit(event: "error", failure: { code: status; details: string }): boolean;
}

async function collect(load: (to: ServiceAdder) => Promise<void>): Promise<ReadonlyMap<string, Loaded>> {
  const methods = new Map<string, Loaded>();
  await load({
    addService(service, implementation) {
      for (const [name, method] of Object.entries(service as ServiceDefinition)) {
        const handle = implementation[name] ?? implementation[method.originalName ?? ""];
        if (handle) methods.set(method.path, { ...method, handle });
      }
    },
  });
  return methods;
}
