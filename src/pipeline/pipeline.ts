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
import { type Cancellation, untilCancelled } from "../concurrency/cancellation.js";
import { createFairSemaphore, type FairSemaphore } from "../concurrency/semaphore.js";
import { Problem, tooManyRequests } from "../errors.js";
import { type Authenticate, anonymous, type Caller, type PresentedCredentials } from "../identity/caller.js";
import { type AccessRule, accessRule } from "./access.js";
import { type AuditRule, auditRule } from "./audit-rule.js";
import { AuditedCall } from "./audited-call.js";
import { toRpcError } from "./codes.js";
import type { Call, Handlers } from "./handlers.js";
import type { RateLimit } from "./rate-limit.js";

/** A call as an edge received it. */
export interface Inbound {
  readonly credentials: PresentedCredentials;
  /** The edge cancels it when the caller disconnects, the pipeline when the deadline passes. */
  readonly cancellation: Cancellation;
  /** Timeout that the caller requested, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The result of `acceptRequestId`. */
  readonly requestId: string;
  /** Returns a request header by its lower-case name. Callers send their trace context in headers. */
  readonly header?: (name: string) => string | undefined;
  /** Network that sent the request, as returned by `createClientOf`. */
  readonly client: string;
  /**
   * Whether the call counts toward the rate limit of public methods. The gRPC port is for the platform's own
   * services, which have no limit.
   */
  readonly isLimited: boolean;
}

/** A request as an edge decoded it: the message as far as it could be read, and the first problem, if any. */
export interface Bound {
  readonly request?: Message | undefined;
  readonly problem?: Problem | undefined;
}

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

/** A call that passed authentication. The edge runs it once, by its method's kind, or refuses it. */
export interface AdmittedCall {
  readonly holder: SemaphoreHolder;
  unary(bound: Bound): Promise<Message>;
  serverStream(bound: Bound): AsyncIterable<Message>;
  clientStream(requests: AsyncIterable<Bound>): Promise<Message>;
  bidiStream(requests: AsyncIterable<Bound>): AsyncIterable<Message>;
  /**
   * Ends a call whose request can't be read. Has no effect after the call has ended.
   * @returns the error as the caller gets it
   */
  refuse(problem: Problem): ConnectError;
}

/** Whom a call's slots and bytes are counted for: the caller, or the network of an unknown caller. */
export interface SemaphoreHolder {
  readonly name: string;
  /** Fraction of the whole that they can get while nobody else holds any. */
  readonly share: number;
}

/** A page or a file. Everybody may request it, though a signature in the URL may decide what they get. */
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

/** Maximum duration of a unary call, and the default deadline. */
const UNARY_TIMEOUT_MS = 30_000;

/**
 * Cancel a stream whose client takes no message for this long: it holds open what its messages are read from.
 */
const STREAM_READ_TIMEOUT_MS = 60_000;

/** Longest delay that a Node timer supports. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** How many callers may wait for authentication at a time. They hold no slot yet. */
const MAX_AUTHENTICATIONS = 1000;

/** A service may hold more slots than a user, since it calls for many people. */
const SHARES = { anonymous: 1 / 4, user: 1 / 4, service: 1 / 2 } satisfies Record<Caller["kind"], number>;

interface Route {
  readonly name: string;
  readonly isUnary: boolean;
  /** Semaphore of the calls of this kind. */
  readonly semaphore: FairSemaphore;
}

interface MethodRoute extends Route {
  readonly method: DescMethod;
  /** Whether the stream has no natural end: bidirectional, or, by convention, a method named Watch…. */
  readonly isWatch: boolean;
  readonly rule: AccessRule;
  /** undefined if calls are not recorded in the audit trail. */
  readonly audit: AuditRule | undefined;
  readonly handler: (request: unknown, call: Call) => unknown;
}

/** Dependencies of the pipeline. */
export interface PipelineDeps {
  readonly mounts: readonly Mount[];
  readonly authenticate: Authenticate;
  /** Rate limit of public methods. */
  readonly publicLimit?: RateLimit | undefined;
  /** How many unary calls may run at a time, and how many streams. Default: 1000 */
  readonly maxConcurrentCalls?: number;
  /** Records who did what. Without it, nothing is recorded. */
  readonly audit?: AuditTrail;
  /** Called with every call that has ended. */
  readonly onCall?: ((method: string, code: string, seconds: number) => void) | undefined;
  readonly log: Logger;
}

/** State that all calls share. */
interface Shared extends PipelineDeps {
  /** Limits authentications that take time, to fetch keys or look up accounts. */
  readonly authentications: FairSemaphore;
  readonly watches: OpenWatches;
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
  const shared: Shared = { ...deps, authentications, watches: createOpenWatches() };

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

/** The open watch streams. */
interface OpenWatches {
  began(watch: Cancellation): void;
  ended(watch: Cancellation): void;
  /** Ends open streams, and any that open later. */
  endAll(): void;
}

function createOpenWatches(): OpenWatches {
  const watches = new Set<Cancellation>();
  let isStopping = false;
  const stop = (watch: Cancellation) =>
    watch.cancel(new Problem("unavailable", "The service is stopping: call again.", { cause: stopping }));
  return {
    began(watch) {
      watches.add(watch);
      if (isStopping) stop(watch);
    },
    ended: (watch) => void watches.delete(watch),
    endAll() {
      isStopping = true;
      for (const watch of watches) stop(watch);
    },
  };
}

/** The life of a call, from its request until its response is sent and logged. */
class CallLifecycle implements Call, SemaphoreHolder {
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #holdsSlot = false;
  #hasEnded = false;
  caller: Caller = anonymous;
  audited: AuditedCall | undefined;

  constructor(
    private readonly shared: Shared,
    private readonly route: Route,
    private readonly inbound: Inbound,
  ) {
    this.#timer = startDeadline(route.isUnary, inbound);
  }

  get cancellation(): Cancellation {
    return this.inbound.cancellation;
  }

  get signal(): AbortSignal {
    return this.inbound.cancellation.signal;
  }

  get requestId(): string {
    return this.inbound.requestId;
  }

  get client(): string {
    return this.inbound.client;
  }

  get name(): string {
    const { caller } = this;
    return caller.kind === "anonymous" ? this.client : `${caller.kind} ${caller.username}`;
  }

  get share(): number {
    return SHARES[this.caller.kind];
  }

  checkLimit(): void {
    const { inbound, shared } = this;
    const retryAfter = inbound.isLimited ? shared.publicLimit?.take(inbound.client) : undefined;
    if (retryAfter === undefined) return;
    throw new Problem("resource-exhausted", `Too many requests: try again in ${retryAfter} seconds.`, {
      retryAfter,
    });
  }

  acquireSlot(): void {
    this.#holdsSlot = this.route.semaphore.tryAcquire(this.name, this.share);
    if (!this.#holdsSlot) throw tooManyRequests();
  }

  /**
   * Ends the call and returns the error that the caller gets. A passed deadline or lost caller outranks the
   * handler's error.
   */
  fail(error: unknown): ConnectError {
    const { cancellation } = this.inbound;
    const failure = toRpcError(cancellation.isCancelled ? cancelReason(cancellation) : error);
    this.end(failure);
    return failure;
  }

  /** Releases the call's slot, and logs and counts the call. Only the first end counts. */
  end(error?: ConnectError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { route, inbound, shared, caller } = this;
    clearTimeout(this.#timer);
    if (this.#holdsSlot) route.semaphore.release(this.name);
    const code = error ? (Code[error.code] as string) : "Ok";
    const elapsed = performance.now() - this.#started;
    shared.onCall?.(route.name, code, elapsed / 1000);
    this.audited?.end(code);
    const { requestId, client } = inbound;
    const ms = Math.round(elapsed * 10) / 10;
    const line = { requestId, method: route.name, caller: caller.kind, client, code, ms };
    if (error && isServerFault(error)) shared.log.error({ ...line, err: faultOf(error) }, "call failed");
    else shared.log.info(line, "call");
  }
}

type Response = MessageInitShape<DescMessage>;

/** The call of a method. */
class MethodCall implements AdmittedCall {
  readonly #lifecycle: CallLifecycle;

  constructor(
    private readonly shared: Shared,
    private readonly route: MethodRoute,
    private readonly inbound: Inbound,
  ) {
    this.#lifecycle = new CallLifecycle(shared, route, inbound);
    if (shared.audit && route.audit) {
      const { requestId, client: source } = inbound;
      const origin = { method: route.name, requestId, source };
      this.#lifecycle.audited = new AuditedCall(shared.audit, route.audit, origin);
    }
  }

  get holder(): SemaphoreHolder {
    return this.#lifecycle;
  }

  admit(): AdmittedCall | Promise<AdmittedCall> {
    const { route, inbound, shared } = this;
    try {
      if (route.rule.isPublic) {
        this.#lifecycle.checkLimit();
        return this;
      }
      const caller = shared.authenticate(inbound.credentials, inbound.cancellation);
      return caller instanceof Promise ? this.#admitLater(caller) : this.#admitAs(caller);
    } catch (error) {
      throw this.#lifecycle.fail(error);
    }
  }

  #admitAs(caller: Caller): AdmittedCall {
    this.#lifecycle.caller = caller;
    this.route.rule.checkLevel(caller);
    return this;
  }

  async #admitLater(authenticating: Promise<Caller>): Promise<AdmittedCall> {
    const { client, cancellation } = this.inbound;
    const { authentications } = this.shared;
    const isAdmitted = authentications.tryAcquire(client, SHARES.service);
    if (!isAdmitted) cancellation.cancel(tooManyRequests());
    try {
      return this.#admitAs(await untilCancelled(cancellation, authenticating));
    } catch (error) {
      throw this.#lifecycle.fail(error);
    } finally {
      if (isAdmitted) authentications.release(client);
    }
  }

  unary(bound: Bound): Promise<Message> {
    return this.#respond(bound);
  }

  clientStream(requests: AsyncIterable<Bound>): Promise<Message> {
    return this.#respond(requests);
  }

  serverStream(bound: Bound): AsyncIterable<Message> {
    return this.#stream(bound);
  }

  bidiStream(requests: AsyncIterable<Bound>): AsyncIterable<Message> {
    return this.#stream(eachUntilCancelled(this.inbound.cancellation, requests));
  }

  async *#stream(bound: Bound | AsyncIterable<Bound>): AsyncIterable<Message> {
    const { route, shared } = this;
    const { cancellation } = this.inbound;
    const lifecycle = this.#lifecycle;
    let failure: ConnectError | undefined;
    let readTimer: NodeJS.Timeout | undefined;
    if (route.isWatch) shared.watches.began(cancellation);
    try {
      cancellation.throwIfCancelled();
      lifecycle.acquireSlot();
      const request = await this.#requestOf(bound);
      const responses = route.handler(request, lifecycle) as AsyncIterable<Response>;
      for await (const response of responses) {
        cancellation.throwIfCancelled();
        readTimer = setTimeout(() => cancellation.cancel(unreadStream()), STREAM_READ_TIMEOUT_MS);
        yield this.#toMessage(response);
        clearTimeout(readTimer);
      }
    } catch (error) {
      failure = lifecycle.fail(error);
      throw failure;
    } finally {
      clearTimeout(readTimer);
      shared.watches.ended(cancellation);
      // An edge that can't deliver a message does not come back for the error.
      if (!failure && cancellation.isCancelled) lifecycle.fail(undefined);
      lifecycle.end();
    }
  }

  refuse(problem: Problem): ConnectError {
    return this.#lifecycle.fail(problem);
  }

  async #respond(bound: Bound | AsyncIterable<Bound>): Promise<Message> {
    const { route, inbound } = this;
    const lifecycle = this.#lifecycle;
    try {
      inbound.cancellation.throwIfCancelled();
      lifecycle.acquireSlot();
      const requested = this.#requestOf(bound);
      const request = requested instanceof Promise ? await requested : requested;
      const handled = route.handler(request, lifecycle) as Promise<Response>;
      const message = this.#toMessage(await untilCancelled(inbound.cancellation, handled));
      lifecycle.end();
      return message;
    } catch (error) {
      throw lifecycle.fail(error);
    }
  }

  /** The message or messages for the handler. A promise if the audit entry must be written first. */
  #requestOf(bound: Bound | AsyncIterable<Bound>): Message | Promise<Message> | AsyncIterable<Message> {
    return Symbol.asyncIterator in bound ? this.#enterEach(bound) : this.#enter(bound);
  }

  async *#enterEach(requests: AsyncIterable<Bound>): AsyncIterable<Message> {
    for await (const bound of requests) yield await this.#enter(bound);
  }

  #enter(bound: Bound): Message | Promise<Message> {
    const request = this.#validate(bound);
    const lifecycle = this.#lifecycle;
    const entered = lifecycle.audited?.admit(lifecycle, request);
    return entered ? entered.then(() => request) : request;
  }

  /**
   * Authorization comes before validation, so that an error reveals nothing that the caller may not ask
   * about.
   */
  #validate({ request, problem }: Bound): Message {
    if (request) this.route.rule.checkSelf(this.#lifecycle.caller, request);
    if (problem) throw problem;
    if (!request) throw new Error("an edge bound neither a request nor a problem");
    return request;
  }

  #toMessage(response: Response): Message {
    return create(this.route.method.output, response);
  }
}

/** Reason for ending watches when nothing is wrong. */
const stopping = new Error("the service is stopping");

/**
 * Whether the error is a defect, or a dependency out of reach. The caller learns no details; the log has
 * them.
 */
function isServerFault(error: ConnectError): boolean {
  return error.code === Code.Internal || (error.code === Code.Unavailable && faultOf(error) !== stopping);
}

/** Returns the underlying error. The caller sees the text of a `Problem`; its cause is what happened. */
function faultOf({ cause }: ConnectError): unknown {
  return cause instanceof Problem ? (cause.cause ?? cause) : cause;
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
    handler: handler as MethodRoute["handler"],
    semaphore,
  };
}

function isUnary({ methodKind }: DescMethod): boolean {
  return methodKind === "unary";
}

function unreadStream(): Problem {
  const seconds = STREAM_READ_TIMEOUT_MS / 1000;
  return new Problem("deadline-exceeded", `The stream was not read for ${seconds} seconds: read it faster.`);
}

function startDeadline(isUnary: boolean, inbound: Inbound): NodeJS.Timeout | undefined {
  const given = inbound.timeoutMs ?? Number.POSITIVE_INFINITY;
  const limit = isUnary ? UNARY_TIMEOUT_MS : Number.POSITIVE_INFINITY;
  const ms = Math.min(given, limit);
  if (ms > MAX_TIMEOUT_MS) return undefined;
  return setTimeout(
    () =>
      inbound.cancellation.cancel(new Problem("deadline-exceeded", "The deadline of the call has passed.")),
    ms,
  );
}

function cancelReason({ reason }: Cancellation): Problem {
  return reason instanceof Problem
    ? reason
    : new Problem("cancelled", "The caller cancelled the call.", { cause: reason });
}

async function* eachUntilCancelled<T>(cancellation: Cancellation, items: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await untilCancelled(cancellation, iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    void iterator.return?.(); // not awaited: the client may never send another message
  }
}
