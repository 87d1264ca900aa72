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
  /** The edge aborts it when the caller is gone; the pipeline, when the deadline has passed. */
  readonly cancellation: Cancellation;
  /** How long the caller is going to wait, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** As `acceptRequestId` gave it. */
  readonly requestId: string;
  /** A header of the request, by its name in lower case: callers send their trace context beside the call. */
  readonly header?: (name: string) => string | undefined;
  /** The network that sent the request, as `createClientOf` tells it. */
  readonly client: string;
  /** Whether the limit of what is public counts the request. The gRPC port is for the platform's own services. */
  readonly isLimited: boolean;
}

/** A request as an edge decoded it: the message as far as it could be read, and what was wrong with it, if anything. */
export interface Bound {
  readonly request?: Message | undefined;
  readonly problem?: Problem | undefined;
}

/**
 * The one way to a handler, for every door:
 * `request id and log -> deadline -> limit -> authenticate -> authorize -> validate -> handler -> map errors`.
 * An edge has a call admitted by its headers alone, then reads the request, then runs the call: nothing is read of callers
 * who may not call. Everything it throws is a `ConnectError`, whose code is the gRPC code.
 */
export interface Pipeline {
  readonly services: readonly DescService[];
  /** Admits a call of a method; without a promise where the caller is known at once. */
  admit(method: DescMethod, inbound: Inbound): AdmittedCall | Promise<AdmittedCall>;
  /** Runs what is no method, all the way; a `Problem` that `work` throws decides the code, as that of a handler does. */
  visit<T>(route: PublicRoute, inbound: Inbound, work: (call: Call) => Promise<T>): Promise<T>;
  /** Ends the calls that go on for as long as their caller listens, and those still to come, with UNAVAILABLE. */
  endWatches(): void;
}

/** A call that may be made. Its edge runs it once, in the way of its method's kind, or refuses it. */
export interface AdmittedCall {
  readonly holder: SemaphoreHolder;
  unary(bound: Bound): Promise<Message>;
  serverStream(bound: Bound): AsyncIterable<Message>;
  clientStream(requests: AsyncIterable<Bound>): Promise<Message>;
  bidiStream(requests: AsyncIterable<Bound>): AsyncIterable<Message>;
  /**
   * Ends a call whose request can't be read; of no effect on one that has ended.
   * @returns the error as the caller gets it
   */
  refuse(problem: Problem): ConnectError;
}

/** Whom the places and bytes that a call takes count for: the caller, or the network of one who is not known. */
export interface SemaphoreHolder {
  readonly name: string;
  /** How much of a whole they get while nobody else takes any, as a fraction. */
  readonly share: number;
}

/** A page or a file. Everybody may come, though a signature in the address may decide what they get. */
export interface PublicRoute {
  /** For log and metrics: nothing of the address itself, which may be a secret. */
  readonly name: string;
  /** A stream may take as long as its reader does. */
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
 * @param access of all its methods, where the .proto is not ours and can't declare it
 */
export function mount<S extends DescService>(service: S, handlers: Handlers<S>, access?: Access): Mount {
  return { service, handlers, access };
}

/** How long a unary call may take when its caller names no deadline, and at most. */
const UNARY_TIMEOUT_MS = 30_000;

/** A caller who does not take a message of a stream for as long holds up what it is read from. */
const STREAM_READ_TIMEOUT_MS = 60_000;

/** The longest delay a timer takes. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Callers whose authentication may be awaited at once: they have no places yet. */
const MAX_AUTHENTICATIONS = 1000;

/** A service calls on behalf of many people. */
const SHARES = { anonymous: 1 / 4, user: 1 / 4, service: 1 / 2 } satisfies Record<Caller["kind"], number>;

interface Route {
  readonly name: string;
  readonly isUnary: boolean;
  /** Those of its kind. */
  readonly semaphore: FairSemaphore;
}

interface MethodRoute extends Route {
  readonly method: DescMethod;
  /** A stream that has no end of its own: one both ways, or, by convention, a method that is named Watch…. */
  readonly isWatch: boolean;
  readonly rule: AccessRule;
  /** undefined: its calls are not entered in the audit trail. */
  readonly audit: AuditRule | undefined;
  readonly handler: (request: unknown, call: Call) => unknown;
}

/** What the pipeline is built from. */
export interface PipelineDeps {
  readonly mounts: readonly Mount[];
  readonly authenticate: Authenticate;
  /** Of what is public. */
  readonly publicLimit?: RateLimit | undefined;
  /** How many unary calls may be under way at once, and how many streams. Default: 1000 */
  readonly maxConcurrentCalls?: number;
  /** Where it is entered who did what; without it, nowhere. */
  readonly audit?: AuditTrail;
  /** Is told of every call that has ended. */
  readonly onCall?: ((method: string, code: string, seconds: number) => void) | undefined;
  readonly log: Logger;
}

/** What all calls have in common. */
interface Shared extends PipelineDeps {
  /** Those that take time: keys may have to be fetched, accounts to be looked up. */
  readonly authentications: FairSemaphore;
  readonly watches: OpenWatches;
}

/**
 * Builds the pipeline over these services.
 * @throws Error naming the method when one declares no access or has no handler
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

/** The streams that go on for as long as their caller listens. */
interface OpenWatches {
  began(watch: Cancellation): void;
  ended(watch: Cancellation): void;
  /** Those still to come, too. */
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

/** A call from its request until it is answered and told of. */
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

  /** The error as the caller gets it; a deadline or a lost caller outweighs what it made a handler throw. */
  fail(error: unknown): ConnectError {
    const { cancellation } = this.inbound;
    const failure = toRpcError(cancellation.isCancelled ? cancelReason(cancellation) : error);
    this.end(failure);
    return failure;
  }

  /** Gives back what the call has taken, and tells of it. The first end counts. */
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
      // An edge that can't get rid of a message does not come back for the error.
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

  /** What the handler takes; a promise where that is entered in the audit trail first. */
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

  /** Authorization comes before validation, so that an error reveals nothing that the caller may not ask about. */
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

/** Why a watch ends when nothing is wrong. */
const stopping = new Error("the service is stopping");

/** A defect, or a dependency out of reach: what the caller is not told, the log says. */
function isServerFault(error: ConnectError): boolean {
  return error.code === Code.Internal || (error.code === Code.Unavailable && faultOf(error) !== stopping);
}

/** A `Problem` is what the caller is told anyway; its cause is what happened. */
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
    void iterator.return?.(); // not waited for: whoever sends them may never send another
  }
}
