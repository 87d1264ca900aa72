import {
  create,
  type DescMessage,
  type DescMethod,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { type Cancellation, untilCancelled } from "#foundation/concurrency/cancellation.js";
import type { FairSemaphore } from "#foundation/concurrency/semaphore.js";
import { Problem, tooManyRequests } from "#foundation/errors.js";
import type { AuditTrail } from "#infrastructure/audit/audit-trail.js";
import type { CheckBounds } from "#infrastructure/identity/bounds.js";
import { type Authenticate, type Caller, organisationsOf } from "#infrastructure/identity/caller.js";
import type { AccessRule } from "./access.js";
import type { AuditRule } from "./audit-rule.js";
import { AuditedCall } from "./audited-call.js";
import type { BoundsRule } from "./bounds-rule.js";
import { CallLifecycle, type CallTarget, type LifecycleDeps, SHARES } from "./call-lifecycle.js";
import type { Call } from "./handlers.js";
import type { AdmittedCall, DecodedRequest, Inbound, SemaphoreHolder } from "./inbound.js";
import type { OpenWatches } from "./open-watches.js";

/** Cancels a stream that isn't read for this long, because an open stream occupies database or file resources. */
const STREAM_READ_TIMEOUT_MS = 60_000;

export interface MethodRoute extends CallTarget {
  readonly method: DescMethod;
  /**
   * Whether the stream can stay open indefinitely. That applies to bidirectional methods and, by convention, to methods
   * named Watch….
   */
  readonly isWatch: boolean;
  readonly rule: AccessRule;
  /** undefined if calls are not recorded in the audit trail. */
  readonly audit: AuditRule | undefined;
  /** undefined if callers who are restricted to organisations may not call the method. */
  readonly bounds: BoundsRule | undefined;
  readonly handler: (request: unknown, call: Call) => unknown;
}

export interface MethodCallDeps extends LifecycleDeps {
  readonly authenticate: Authenticate;
  /** If undefined, nothing is recorded. */
  readonly audit?: AuditTrail;
  /** If undefined, callers who are restricted to organisations are refused. */
  readonly checkBounds?: CheckBounds;
  /** Limits concurrent authentications that have to wait for keys or accounts. */
  readonly authentications: FairSemaphore;
  readonly watches: OpenWatches;
}

type Response = MessageInitShape<DescMessage>;

/** Runs one call of a method through the pipeline. */
export class MethodCall implements AdmittedCall {
  readonly #lifecycle: CallLifecycle;

  constructor(
    private readonly shared: MethodCallDeps,
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
    this.#refuseUnboundable(caller);
    this.#lifecycle.caller = this.route.rule.actingAs(caller);
    return this;
  }

  /**
   * Refuses callers who are restricted to organisations, unless the method declares which organisations its data
   * belongs to.
   */
  #refuseUnboundable(caller: Caller): void {
    if (organisationsOf(caller) === undefined) return;
    if (this.route.bounds && this.shared.checkBounds) return;
    throw new Problem("permission-denied", "This requires a caller who is not restricted to organisations.");
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

  unary(decoded: DecodedRequest): Promise<Message> {
    return this.#respond(decoded);
  }

  clientStream(requests: AsyncIterable<DecodedRequest>): Promise<Message> {
    return this.#respond(requests);
  }

  serverStream(decoded: DecodedRequest): AsyncIterable<Message> {
    return this.#stream(decoded);
  }

  bidiStream(requests: AsyncIterable<DecodedRequest>): AsyncIterable<Message> {
    return this.#stream(eachUntilCancelled(this.inbound.cancellation, requests));
  }

  async *#stream(decoded: DecodedRequest | AsyncIterable<DecodedRequest>): AsyncIterable<Message> {
    const { route, shared } = this;
    const { cancellation } = this.inbound;
    const lifecycle = this.#lifecycle;
    let failure: ConnectError | undefined;
    let readTimer: NodeJS.Timeout | undefined;
    if (route.isWatch) shared.watches.began(cancellation);
    try {
      cancellation.throwIfCancelled();
      lifecycle.acquireSlot();
      const request = await this.#requestOf(decoded);
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
      // An edge that can't deliver a message stops reading the stream, so no error is thrown. The call then fails here.
      if (!failure && cancellation.isCancelled) lifecycle.fail(undefined);
      lifecycle.end();
    }
  }

  refuse(problem: Problem): ConnectError {
    return this.#lifecycle.fail(problem);
  }

  async #respond(decoded: DecodedRequest | AsyncIterable<DecodedRequest>): Promise<Message> {
    const { route, inbound } = this;
    const lifecycle = this.#lifecycle;
    try {
      inbound.cancellation.throwIfCancelled();
      lifecycle.acquireSlot();
      const requested = this.#requestOf(decoded);
      const request = requested instanceof Promise ? await requested : requested;
      const handled = route.handler(request, lifecycle) as Promise<Response>;
      const message = this.#toMessage(await untilCancelled(inbound.cancellation, handled));
      lifecycle.end();
      return message;
    } catch (error) {
      throw lifecycle.fail(error);
    }
  }

  /** Returns a promise if the handler must wait until the audit entry is written. */
  #requestOf(
    decoded: DecodedRequest | AsyncIterable<DecodedRequest>,
  ): Message | Promise<Message> | AsyncIterable<Message> {
    return Symbol.asyncIterator in decoded ? this.#enterEach(decoded) : this.#enter(decoded);
  }

  async *#enterEach(requests: AsyncIterable<DecodedRequest>): AsyncIterable<Message> {
    for await (const decoded of requests) yield await this.#enter(decoded);
  }

  #enter(decoded: DecodedRequest): Message | Promise<Message> {
    const request = this.#validate(decoded);
    const lifecycle = this.#lifecycle;
    const entered = lifecycle.audited?.admit(lifecycle, request);
    if (organisationsOf(lifecycle.caller)) return this.#enterBounded(request, entered);
    return entered ? entered.then(() => request) : request;
  }

  async #enterBounded(request: Message, entered: Promise<void> | undefined): Promise<Message> {
    await entered;
    const { route, shared } = this;
    const lifecycle = this.#lifecycle;
    const organisations = organisationsOf(lifecycle.caller);
    if (!organisations || !route.bounds || !shared.checkBounds)
      throw new Error("the caller is not restricted to organisations");
    const named = route.rule.withoutSelf(lifecycle.caller, route.bounds(request));
    try {
      await shared.checkBounds(organisations, named, lifecycle.signal);
    } catch (error) {
      // Outside their organisations, staff have the rights of learners.
      const own = route.rule.actingForSelf(lifecycle.caller, named);
      if (!own || !(error instanceof Problem && error.kind === "not-found")) throw error;
      lifecycle.caller = own;
    }
    return request;
  }

  /**
   * Checks whether the caller may access the learners in the request before it reports that the request is invalid.
   * Otherwise, that error could reveal data of other learners.
   */
  #validate({ request, problem }: DecodedRequest): Message {
    if (request) this.route.rule.checkSelf(this.#lifecycle.caller, request);
    if (problem) throw problem;
    if (!request) throw new Error("an edge passed on neither a request nor a problem");
    return request;
  }

  #toMessage(response: Response): Message {
    return create(this.route.method.output, response);
  }
}

function unreadStream(): Problem {
  const seconds = STREAM_READ_TIMEOUT_MS / 1000;
  return new Problem("deadline-exceeded", `The stream was not read for ${seconds} seconds: read it faster.`);
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
    void iterator.return?.(); // not awaited, because the client may never send another message
  }
}
