import { randomUUID } from "node:crypto";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import { Problem } from "../errors.js";
import { type Authenticate, anonymous, type PresentedCredentials } from "../identity/caller.js";
import { type AccessRule, accessRule } from "./access.js";
import { toRpcError } from "./codes.js";
import type { Call, Handlers } from "./handlers.js";

/** A call as an edge received it. */
export interface Inbound {
  readonly credentials: PresentedCredentials;
  /** The edge aborts it when the caller is gone; the pipeline, when the deadline has passed. */
  readonly abort: AbortController;
  /** How long the caller is going to wait, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The caller's own id of the request; one is made when it is absent or looks unlike an id. */
  readonly requestId?: string | undefined;
}

/** A request as an edge decoded it: the message as far as it could be read, and what was wrong with it, if anything. */
export interface Bound {
  readonly request?: Message | undefined;
  readonly problem?: Problem | undefined;
}

/**
 * The one way to a handler, for every door:
 * `request id and log -> deadline -> authenticate -> authorize -> validate -> handler -> map errors`.
 * Everything it throws is a `ConnectError`, whose code is the gRPC code.
 */
export interface Pipeline {
  readonly services: readonly DescService[];
  unary(method: DescMethod, inbound: Inbound, bind: () => Bound | Promise<Bound>): Promise<Message>;
  serverStream(
    method: DescMethod,
    inbound: Inbound,
    bind: () => Bound | Promise<Bound>,
  ): AsyncIterable<Message>;
  clientStream(method: DescMethod, inbound: Inbound, requests: AsyncIterable<() => Bound>): Promise<Message>;
}

/** A service with its handlers. */
export interface Mount {
  readonly service: DescService;
  readonly handlers: Record<string, unknown>;
}

/** Pairs a service with its handlers; the compiler checks that none is missing. */
export function mount<S extends DescService>(service: S, handlers: Handlers<S>): Mount {
  return { service, handlers };
}

/** How long a unary call may take when its caller names no deadline, and at most. */
const UNARY_TIMEOUT_MS = 30_000;

/** The longest delay a timer takes. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

interface Route {
  readonly name: string;
  readonly rule: AccessRule;
  readonly handler: (request: unknown, call: Call) => unknown;
}

/**
 * Builds the pipeline over these services.
 * @throws Error naming the method when one declares no access or has no handler
 */
export function createPipeline(parts: {
  mounts: readonly Mount[];
  authenticate: Authenticate;
  log: Logger;
}): Pipeline {
  const { mounts, authenticate, log } = parts;
  const routes = new Map<DescMethod, Route>(
    mounts.flatMap(({ service, handlers }) =>
      service.methods.map((method) => [method, routeTo(method, handlers)]),
    ),
  );

  function begin(method: DescMethod, inbound: Inbound) {
    const route = routes.get(method);
    if (!route) throw new Error(`${method.name} is not mounted`);
    const started = performance.now();
    const requestId = acceptRequestId(inbound.requestId);
    const timer = startDeadline(method, inbound);
    let callerKind = "anonymous";

    return {
      route,
      async authenticate(): Promise<Call> {
        const caller = route.rule.isPublic ? anonymous : await authenticate(inbound.credentials);
        callerKind = caller.kind;
        route.rule.checkLevel(caller);
        return { caller, signal: inbound.abort.signal, requestId };
      },
      /** The error as the caller gets it; a deadline or a lost caller outweighs what it made a handler throw. */
      fail(error: unknown): ConnectError {
        return toRpcError(inbound.abort.signal.aborted ? abortReason(inbound.abort.signal) : error);
      },
      end(error?: ConnectError): void {
        clearTimeout(timer);
        const code = error ? Code[error.code] : "Ok";
        const ms = Math.round((performance.now() - started) * 10) / 10;
        const line = { requestId, method: route.name, caller: callerKind, code, ms };
        if (error && isOurFault(error)) log.error({ ...line, err: faultOf(error) }, "call failed");
        else log.info(line, "call");
      },
    };
  }

  return {
    services: mounts.map(({ service }) => service),

    async unary(method, inbound, bind) {
      const run = begin(method, inbound);
      try {
        const call = await run.authenticate();
        const request = validate(run.route, call, await bindUntilAborted(call.signal, bind));
        const response = await untilAborted(
          call.signal,
          run.route.handler(request, call) as Promise<Response>,
        );
        run.end();
        return toMessage(method, response);
      } catch (error) {
        const failure = run.fail(error);
        run.end(failure);
        throw failure;
      }
    },

    async *serverStream(method, inbound, bind) {
      const run = begin(method, inbound);
      let failure: ConnectError | undefined;
      try {
        const call = await run.authenticate();
        const request = validate(run.route, call, await bindUntilAborted(call.signal, bind));
        for await (const response of run.route.handler(request, call) as AsyncIterable<Response>) {
          call.signal.throwIfAborted();
          yield toMessage(method, response);
        }
      } catch (error) {
        failure = run.fail(error);
        throw failure;
      } finally {
        run.end(failure);
      }
    },

    async clientStream(method, inbound, requests) {
      const run = begin(method, inbound);
      try {
        const call = await run.authenticate();
        const validated = validateEach(run.route, call, requests);
        const response = await untilAborted(
          call.signal,
          run.route.handler(validated, call) as Promise<Response>,
        );
        run.end();
        return toMessage(method, response);
      } catch (error) {
        const failure = run.fail(error);
        run.end(failure);
        throw failure;
      }
    },
  };
}

type Response = MessageInitShape<DescMessage>;

/** A defect, or a dependency out of reach: what the caller is not told, the log says. */
function isOurFault({ code }: ConnectError): boolean {
  return code === Code.Internal || code === Code.Unavailable;
}

/** A `Problem` is what the caller is told anyway; its cause is what happened. */
function faultOf({ cause }: ConnectError): unknown {
  return cause instanceof Problem ? (cause.cause ?? cause) : cause;
}

function routeTo(method: DescMethod, handlers: Record<string, unknown>): Route {
  const name = `${method.parent.typeName}/${method.name}`;
  const handler = handlers[method.localName];
  if (typeof handler !== "function") throw new Error(`${name} has no handler`);
  return { name, rule: accessRule(method), handler: handler as Route["handler"] };
}

function toMessage(method: DescMethod, response: Response): Message {
  return create(method.output, response);
}

/** Accepts the caller's id when it can do no harm in a log or a header. */
function acceptRequestId(given: string | undefined): string {
  return given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

function startDeadline(method: DescMethod, inbound: Inbound): NodeJS.Timeout | undefined {
  const given = inbound.timeoutMs ?? Number.POSITIVE_INFINITY;
  const limit = method.methodKind === "unary" ? UNARY_TIMEOUT_MS : Number.POSITIVE_INFINITY;
  const ms = Math.min(given, limit);
  if (ms > MAX_TIMEOUT_MS) return undefined;
  return setTimeout(
    () => inbound.abort.abort(new Problem("deadline-exceeded", "The deadline of the call has passed.")),
    ms,
  );
}

function abortReason(signal: AbortSignal): Problem {
  return signal.reason instanceof Problem
    ? signal.reason
    : new Problem("cancelled", "The caller cancelled the call.", { cause: signal.reason });
}

/** An edge that has the message yet to read binds in its own time, but not longer than the call may take. */
function bindUntilAborted(signal: AbortSignal, bind: () => Bound | Promise<Bound>): Bound | Promise<Bound> {
  const bound = bind();
  return bound instanceof Promise ? untilAborted(signal, bound) : bound;
}

/** "Admin or self" comes before what is wrong with the request: nobody learns more than he may ask. */
function validate(route: Route, call: Call, bound: Bound): Message {
  if (bound.request) route.rule.checkSelf(call.caller, bound.request);
  if (bound.problem) throw bound.problem;
  if (!bound.request) throw new Error("an edge bound neither a request nor a problem");
  return bound.request;
}

async function* validateEach(
  route: Route,
  call: Call,
  requests: AsyncIterable<() => Bound>,
): AsyncIterable<Message> {
  for await (const bind of requests) yield validate(route, call, bind());
}

/** Settles as the promise does, or rejects as soon as the signal aborts, so that nobody waits for a handler that does not listen. */
function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
