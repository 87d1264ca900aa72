import { Code, type ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import type { FairSemaphore } from "#foundation/concurrency/semaphore.js";
import { Problem, tooManyRequests } from "#foundation/errors.js";
import { SUCCEEDED } from "#infrastructure/audit/audit-entry.js";
import { anonymous, type Caller } from "#infrastructure/identity/caller.js";
import type { AuditedCall } from "./audited-call.js";
import { toRpcError } from "./codes.js";
import type { Call } from "./handlers.js";
import type { Inbound, SemaphoreHolder } from "./inbound.js";
import { stopping } from "./open-watches.js";
import type { RateLimit } from "./rate-limit.js";

/** Maximum duration of unary calls, and their default deadline. */
const UNARY_TIMEOUT_MS = 30_000;

/** The longest delay that Node's timers support. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The share of the slots for concurrent calls that one caller may use. A service gets more than a user, because it
 * calls for many people.
 */
export const SHARES = { anonymous: 1 / 4, user: 1 / 4, service: 1 / 2, system: 1 / 2 } satisfies Record<
  Caller["kind"],
  number
>;

/** What is called: a method, a page or a file. */
export interface CallTarget {
  readonly name: string;
  readonly isUnary: boolean;
  /** Limits the number of concurrent calls of this kind. */
  readonly semaphore: FairSemaphore;
}

export interface LifecycleDeps {
  readonly publicLimit?: RateLimit | undefined;
  readonly onCall?: ((method: string, code: string, seconds: number) => void) | undefined;
  readonly log: Logger;
}

/** A call, from receiving the request until the response has been sent and logged. */
export class CallLifecycle implements Call, SemaphoreHolder {
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #holdsSlot = false;
  #hasEnded = false;
  caller: Caller = anonymous;
  audited: AuditedCall | undefined;

  constructor(
    private readonly deps: LifecycleDeps,
    private readonly route: CallTarget,
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
    const { inbound, deps } = this;
    const retryAfter = inbound.isLimited ? deps.publicLimit?.take(inbound.client) : undefined;
    if (retryAfter === undefined) return;
    throw new Problem("resource-exhausted", `Too many requests: try again in ${retryAfter} seconds.`, {
      retryAfter,
    });
  }

  charge(requests: number): void {
    const { inbound, deps } = this;
    if (inbound.isLimited) deps.publicLimit?.take(inbound.client, requests);
  }

  changed(object: string, before: object | undefined, after: object | undefined): void {
    this.audited?.changed(object, before, after);
  }

  acquireSlot(): void {
    this.#holdsSlot = this.route.semaphore.tryAcquire(this.name, this.share);
    if (!this.#holdsSlot) throw tooManyRequests();
  }

  /**
   * Ends the call and returns the error for the caller. If the deadline has passed or the caller has disconnected,
   * returns an error that says so instead of the handler's error.
   */
  fail(error: unknown): ConnectError {
    const { cancellation } = this.inbound;
    const failure = toRpcError(cancellation.isCancelled ? cancelReason(cancellation) : error);
    this.end(failure);
    return failure;
  }

  /** Releases the call's slot, logs the call and updates the metrics. Further calls have no effect. */
  end(error?: ConnectError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { route, inbound, deps, caller } = this;
    clearTimeout(this.#timer);
    if (this.#holdsSlot) route.semaphore.release(this.name);
    const code = error ? (Code[error.code] as string) : SUCCEEDED;
    const elapsed = performance.now() - this.#started;
    deps.onCall?.(route.name, code, elapsed / 1000);
    this.audited?.end(code);
    const { requestId, client } = inbound;
    const ms = Math.round(elapsed * 10) / 10;
    const line = { requestId, method: route.name, caller: caller.kind, client, code, ms };
    if (error && isServerFault(error)) deps.log.error({ ...line, err: faultOf(error) }, "call failed");
    else deps.log.info(line, "call");
  }
}

/**
 * Returns whether a defect or an unavailable dependency caused the error. The details of such errors are logged, and
 * hidden from callers.
 */
function isServerFault(error: ConnectError): boolean {
  return error.code === Code.Internal || (error.code === Code.Unavailable && faultOf(error) !== stopping);
}

/** Returns the error to log. The text of a `Problem` is written for callers, so its cause is logged instead, if any. */
function faultOf({ cause }: ConnectError): unknown {
  return cause instanceof Problem ? (cause.cause ?? cause) : cause;
}

function startDeadline(isUnary: boolean, inbound: Inbound): NodeJS.Timeout | undefined {
  const requestedMs = inbound.timeoutMs ?? Number.POSITIVE_INFINITY;
  const limit = isUnary ? UNARY_TIMEOUT_MS : Number.POSITIVE_INFINITY;
  const ms = Math.min(requestedMs, limit);
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
