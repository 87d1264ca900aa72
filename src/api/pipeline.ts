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
import type { Access } from "../../gen/learning_credentials/options/v1/options_pb.js";
import type { AuditTrail } from "../audit/audit-trail.js";
import { type Cancellation, untilAborted } from "../cancellation.js";
import { Problem, tooManyRequests } from "../errors.js";
import { type Authenticate, anonymous, type Caller, type PresentedCredentials } from "../identity/caller.js";
import { createPlaces, type Places } from "../places.js";
import { type AccessRule, accessRule } from "./access.js";
import { type AuditRule, auditRule } from "./audit-rule.js";
import { AuditedCall } from "./audited-call.js";
import { toRpcError } from "./codes.js";
import type { Call, Handlers } from "./handlers.js";
import type { RateLimit } from "./rate-limit.js";

/** A call as an edge received it. */
export interface Inbound {
  readonly credentials: PresentedCredentials;
  /** The edge aborts it when the caller is gone; the pipeline, when the deadline has passed. */
  readonly abort: Cancellation;
  /** How long the caller is going to wait, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** As `acceptRequestId` gave it. */
  readonly requestId: string;
  /** A header of the request, by its name in lower case: callers send their trace context beside the call. */
  readonly header?: (name: string) => string | undefined;
  /** Who sent the request, for the limit of public methods; undefined at a door that has none. */
  readonly client?: string | undefined;
}

/** A request as an edge decoded it: the message as far as it could be read, and what was wrong with it, if anything. */
export interface Bound {
  readonly request?: Message | undefined;
  readonly problem?: Problem | undefined;
}

/**
 * The one way to a handler, for every door:
 * `request id and log -> deadline -> limit -> authenticate -> authorize -> validate -> handler -> map errors`.
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
  bidiStream(
    method: DescMethod,
    inbound: Inbound,
    requests: AsyncIterable<() => Bound>,
  ): AsyncIterable<Message>;
  /** Ends the calls that go on for as long as their caller listens, and those still to come, with UNAVAILABLE. */
  endWatches(): void;
}

/** A service with its handlers. */
export interface Mount {
  readonly service: DescService;
  readonly handlers: Record<string, unknown>;
  readonly access?: Access | undefined;
}

/**
 * Pairs a service with its handlers; the compiler checks that none is missing.
 * @param access of all its methods, where the .proto is not ours and can't declare it
 */
export function mount<S extends DescService>(service: S, handlers: Handlers<S>, access?: Access): Mount {
  return { service, handlers, access };
}

/** How long a unary call may take when its caller names no deadline, and at most. */
const UNARY_TIMEOUT_MS = 30_000;

/** A caller who does not take a message of a stream for as long holds up what it is read from. */
const UNTAKEN_TIMEOUT_MS = 60_000;

/** The longest delay a timer takes. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

interface Route {
  readonly method: DescMethod;
  readonly name: string;
  /** A stream that has no end of its own: one both ways, or, by convention, a method that is named Watch…. */
  readonly isWatch: boolean;
  readonly rule: AccessRule;
  /** undefined: its calls are not entered in the audit trail. */
  readonly audit: AuditRule | undefined;
  readonly handler: (request: unknown, call: Call) => unknown;
  /** Those of its kind. */
  readonly places: Places;
}

/** What the pipeline is built from. */
export interface PipelineParts {
  readonly mounts: readonly Mount[];
  readonly authenticate: Authenticate;
  /** Of public methods. */
  readonly publicLimit?: RateLimit | undefined;
  /** How many unary calls may be under way at once, and how many streams. Default: 1000 */
  readonly maxConcurrentCalls?: number;
  /** Where it is entered who did what; without it, nowhere. */
  readonly audit?: AuditTrail;
  /** Is told of every call that has ended. */
  readonly onCall?: ((method: string, code: string, seconds: number) => void) | undefined;
  readonly log: Logger;
}

/**
 * Builds the pipeline over these services.
 * @throws Error naming the method when one declares no access or has no handler
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { mounts, maxConcurrentCalls = 1000 } = parts;
  const unaryPlaces = createPlaces(maxConcurrentCalls);
  const streamPlaces = createPlaces(maxConcurrentCalls);
  const placesOf = ({ methodKind }: DescMethod) => (methodKind === "unary" ? unaryPlaces : streamPlaces);
  const routes = new Map<DescMethod, Route>(
    mounts.flatMap((mounted) =>
      mounted.service.methods.map((method) => [method, routeTo(method, mounted, placesOf(method))]),
    ),
  );

  function begin(method: DescMethod, inbound: Inbound): Run {
    const route = routes.get(method);
    if (!route) throw new Error(`${method.name} is not mounted`);
    return new Run(parts, route, inbound);
  }

  const watches = new Set<Cancellation>();
  let isStopping = false;
  const stop = (watch: Cancellation) =>
    watch.abort(new Problem("unavailable", "The service is stopping: call again.", { cause: stopping }));

  /** @param read gives the request, or the requests, that the handler takes */
  async function* respond(
    method: DescMethod,
    inbound: Inbound,
    read: (run: Run, call: Call) => unknown,
  ): AsyncIterable<Message> {
    const run = begin(method, inbound);
    let failure: ConnectError | undefined;
    let untaken: NodeJS.Timeout | undefined;
    if (run.route.isWatch) watches.add(inbound.abort);
    try {
      if (run.route.isWatch && isStopping) stop(inbound.abort);
      const call = await run.admit();
      const request = await read(run, call);
      for await (const response of run.route.handler(request, call) as AsyncIterable<Response>) {
        inbound.abort.throwIfAborted();
        untaken = setTimeout(() => inbound.abort.abort(notTaken()), UNTAKEN_TIMEOUT_MS);
        yield toMessage(method, response);
        clearTimeout(untaken);
      }
    } catch (error) {
      failure = run.fail(error);
      throw failure;
    } finally {
      clearTimeout(untaken);
      watches.delete(inbound.abort);
      // An edge that can't get rid of a message does not come back for the error.
      if (!failure && inbound.abort.isAborted) failure = run.fail(undefined);
      run.end(failure);
    }
  }

  return {
    services: mounts.map(({ service }) => service),

    endWatches() {
      isStopping = true;
      for (const watch of watches) stop(watch);
    },

    async unary(method, inbound, bind) {
      const run = begin(method, inbound);
      try {
        const admitted = run.admit();
        const call = admitted instanceof Promise ? await admitted : admitted;
        const bound = bindUntilAborted(inbound.abort, bind);
        const request = validate(run.route, call, bound instanceof Promise ? await bound : bound);
        const entered = run.enter(call, request);
        if (entered) await entered;
        const response = await untilAborted(
          inbound.abort,
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

    serverStream(method, inbound, bind) {
      return respond(method, inbound, async (run, call) => {
        const request = validate(run.route, call, await bindUntilAborted(inbound.abort, bind));
        await run.enter(call, request);
        return request;
      });
    },

    bidiStream(method, inbound, requests) {
      return respond(method, inbound, (run, call) =>
        validateEach(run, call, eachUntilAborted(inbound.abort, requests)),
      );
    },

    async clientStream(method, inbound, requests) {
      const run = begin(method, inbound);
      try {
        const call = await run.admit();
        const validated = validateEach(run, call, requests);
        const response = await untilAborted(
          inbound.abort,
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

/** A call on its way, from the request until it is answered and told of. */
class Run {
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #callerKind: Caller["kind"] = "anonymous";
  #hasPlace = false;
  readonly #audited: AuditedCall | undefined;

  constructor(
    private readonly parts: PipelineParts,
    readonly route: Route,
    private readonly inbound: Inbound,
  ) {
    this.#timer = startDeadline(route.method, inbound);
    if (parts.audit && route.audit) {
      const { requestId, client: source = "" } = inbound;
      this.#audited = new AuditedCall(parts.audit, route.audit, { method: route.name, requestId, source });
    }
  }

  /** Lets the caller in; at once where nobody has to be asked who he is. */
  admit(): Call | Promise<Call> {
    const { route, inbound, parts } = this;
    this.#hasPlace = route.places.take();
    if (!this.#hasPlace) throw tooManyRequests();
    if (route.rule.isPublic && inbound.client !== undefined) checkLimit(parts.publicLimit, inbound.client);
    const caller = route.rule.isPublic ? anonymous : parts.authenticate(inbound.credentials, inbound.abort);
    return caller instanceof Promise ? caller.then((known) => this.#callOf(known)) : this.#callOf(caller);
  }

  #callOf(caller: Caller): Call {
    this.#callerKind = caller.kind;
    this.route.rule.checkLevel(caller);
    return new PipelineCall(caller, this.inbound.abort, this.inbound.requestId);
  }

  /** Enters what the call is about, before a handler gets the message; undefined where nobody has to wait for that. */
  enter(call: Call, request: Message): Promise<void> | undefined {
    return this.#audited?.admit(call, request);
  }

  /** The error as the caller gets it; a deadline or a lost caller outweighs what it made a handler throw. */
  fail(error: unknown): ConnectError {
    const { abort } = this.inbound;
    return toRpcError(abort.isAborted ? abortReason(abort) : error);
  }

  end(error?: ConnectError): void {
    const { route, inbound, parts } = this;
    clearTimeout(this.#timer);
    if (this.#hasPlace) route.places.giveBack();
    this.#hasPlace = false;
    const code = error ? (Code[error.code] as string) : "Ok";
    const elapsed = performance.now() - this.#started;
    parts.onCall?.(route.name, code, elapsed / 1000);
    this.#audited?.end(code);
    const ms = Math.round(elapsed * 10) / 10;
    const line = { requestId: inbound.requestId, method: route.name, caller: this.#callerKind, code, ms };
    if (error && isOurFault(error)) parts.log.error({ ...line, err: faultOf(error) }, "call failed");
    else parts.log.info(line, "call");
  }
}

class PipelineCall implements Call {
  constructor(
    readonly caller: Caller,
    readonly cancellation: Cancellation,
    readonly requestId: string,
  ) {}

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }
}

/** Why a watch ends when nothing is wrong. */
const stopping = new Error("the service is stopping");

/** A defect, or a dependency out of reach: what the caller is not told, the log says. */
function isOurFault(error: ConnectError): boolean {
  return error.code === Code.Internal || (error.code === Code.Unavailable && faultOf(error) !== stopping);
}

/** A `Problem` is what the caller is told anyway; its cause is what happened. */
function faultOf({ cause }: ConnectError): unknown {
  return cause instanceof Problem ? (cause.cause ?? cause) : cause;
}

function routeTo(method: DescMethod, { handlers, access }: Mount, places: Places): Route {
  const name = `${method.parent.typeName}/${method.name}`;
  const handler = handlers[method.localName];
  if (typeof handler !== "function") throw new Error(`${name} has no handler`);
  const isWatch =
    method.methodKind === "bidi_streaming" ||
    (method.methodKind === "server_streaming" && method.name.startsWith("Watch"));
  const rule = accessRule(method, access);
  return {
    method,
    name,
    isWatch,
    rule,
    audit: access === undefined ? auditRule(method) : undefined,
    handler: handler as Route["handler"],
    places,
  };
}

function toMessage(method: DescMethod, response: Response): Message {
  return create(method.output, response);
}

function notTaken(): Problem {
  const seconds = UNTAKEN_TIMEOUT_MS / 1000;
  return new Problem("deadline-exceeded", `The stream was not read for ${seconds} seconds: read it faster.`);
}

function checkLimit(limit: RateLimit | undefined, client: string): void {
  const retryAfter = limit?.take(client);
  if (retryAfter === undefined) return;
  throw new Problem("resource-exhausted", `Too many requests: try again in ${retryAfter} seconds.`, {
    retryAfter,
  });
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

function abortReason({ reason }: Cancellation): Problem {
  return reason instanceof Problem
    ? reason
    : new Problem("cancelled", "The caller cancelled the call.", { cause: reason });
}

/** An edge that has the message yet to read binds in its own time, but not longer than the call may take. */
function bindUntilAborted(
  cancellation: Cancellation,
  bind: () => Bound | Promise<Bound>,
): Bound | Promise<Bound> {
  const bound = bind();
  return bound instanceof Promise ? untilAborted(cancellation, bound) : bound;
}

/** "Admin or self" comes before what is wrong with the request: nobody learns more than he may ask. */
function validate(route: Route, call: Call, bound: Bound): Message {
  if (bound.request) route.rule.checkSelf(call.caller, bound.request);
  if (bound.problem) throw bound.problem;
  if (!bound.request) throw new Error("an edge bound neither a request nor a problem");
  return bound.request;
}

async function* validateEach(
  run: Run,
  call: Call,
  requests: AsyncIterable<() => Bound>,
): AsyncIterable<Message> {
  for await (const bind of requests) {
    const request = validate(run.route, call, bind());
    await run.enter(call, request);
    yield request;
  }
}

async function* eachUntilAborted<T>(cancellation: Cancellation, items: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await untilAborted(cancellation, iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    void iterator.return?.(); // not waited for: whoever sends them may never send another
  }
}
