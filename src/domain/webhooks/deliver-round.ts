import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { NEVER_ABORTS } from "#infrastructure/db/database.js";
import type { CredentialEvent } from "../credentials/events/credential-event.js";
import { readAttemptsAfter } from "./attempt-store.js";
import { eventPayload, fittingCount, gapPayload, type Payload } from "./cloud-event.js";
import { type DeliveryDeps, type DeliveryTimings, TIMINGS } from "./delivery-deps.js";
import { createDeliveryProgress, type DeliveryProgress } from "./delivery-progress.js";
import { createDeliveryWindow, type DeliveryWindow } from "./delivery-window.js";
import { createSign, type Sign } from "./endpoint-secret.js";
import { type LeasedEndpoint, noteGap, releaseEndpoint } from "./endpoint-store.js";
import { openPosting, type Posting } from "./post.js";
import { postponeRound } from "./postpone-round.js";
import { readWaiting } from "./read-waiting.js";
import { type SentMessage, sendMessage } from "./send-message.js";
import type { NewWebhookAttempt } from "./webhook-attempt.js";

/** Maximum number of concurrent requests at the start of a round. */
const INITIAL_CONCURRENCY = 8;

/** Limit for the number of concurrent requests to an endpoint. Each accepted request raises this number by one. */
const MAX_CONCURRENCY = 16;

/** Number of consecutive failures after which a round ends, because further requests would fail, too. */
const MAX_FAILURES = 5;

type Events = readonly [CredentialEvent, ...CredentialEvent[]];

/**
 * Delivers events to an endpoint until none are left, too many requests fail, or the turn ends. Events of a credential
 * are sent in order. A failed event is sent again in a later round. Until then, later events of the same credential
 * wait.
 * @param leasedAt when the lease was requested, by `performance.now()`
 */
export async function deliverRound(
  deps: DeliveryDeps,
  endpoint: LeasedEndpoint,
  leasedAt: number,
  stopping: AbortSignal,
): Promise<void> {
  const posting = openPosting(endpoint.url, deps.posting);
  try {
    await new Round(deps, endpoint, posting, leasedAt, stopping).run();
  } finally {
    posting.close();
  }
}

class Round {
  readonly #timings: DeliveryTimings;
  readonly #end: number;
  readonly #window: DeliveryWindow<CredentialEvent>;
  readonly #progress: DeliveryProgress;
  readonly #sign: Sign;
  /** Number of earlier attempts for each event, by position. */
  readonly #tries = new Map<number, number>();
  /** Positions of events that were delivered in earlier rounds. */
  readonly #done = new Set<number>();
  readonly #inProgress = new Set<Promise<void>>();
  #maxInProgress: number;
  #hasReadAll = false;
  #failuresInARow: number;
  /** After a failure, the next request must not start before this time. */
  #notBefore = 0;
  #hasSucceeded = false;
  #lastFailure: SentMessage | undefined;
  #hasUnreportedGap = false;
  /** Errors of this service, for example while storing the progress. */
  readonly #faults: unknown[] = [];

  constructor(
    private readonly deps: DeliveryDeps,
    private readonly endpoint: LeasedEndpoint,
    private readonly posting: Posting,
    leasedAt: number,
    private readonly stopping: AbortSignal,
  ) {
    this.#timings = { ...TIMINGS, ...deps.timings };
    this.#end = performance.now() + this.#timings.turnMs;
    this.#window = createDeliveryWindow(endpoint.deliveredUpTo, endpoint.window);
    const deliveredUpTo = () => this.#window.deliveredUpTo;
    this.#progress = createDeliveryProgress(deps.database, endpoint, this.#timings, leasedAt, deliveredUpTo);
    this.#sign = createSign(deps.serviceSecrets, endpoint);
    this.#maxInProgress = endpoint.batch > 1 ? 1 : INITIAL_CONCURRENCY;
    this.#failuresInARow = endpoint.failedRounds > 0 ? 1 : 0;
  }

  async run(): Promise<void> {
    await this.#remember();
    try {
      await this.#deliverAll();
    } finally {
      await Promise.all(this.#inProgress); // no request outlives its round
    }
    if (this.#faults.length > 0) throw this.#faults[0];
    await this.#progress.store();
    if (!this.#progress.isLeased()) return;
    if (!this.#lastFailure) return releaseEndpoint(this.deps.database.knex, this.endpoint);
    await postponeRound(this.deps, this.endpoint, this.#lastFailure, this.#hasSucceeded);
  }

  async #deliverAll(): Promise<void> {
    while (this.#mayGoOn()) {
      await this.#readIfNeeded();
      const events = this.#next();
      const pauseMs = this.#notBefore - performance.now();
      if (events) this.#begin(events);
      else if (this.#inProgress.size > 0) await Promise.race(this.#inProgress);
      else if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: this.stopping }).catch(() => {});
      else if (this.#hasReadAll || this.#window.span > 0) return; // the other events wait for a failed one
    }
  }

  async #remember(): Promise<void> {
    const { id, deliveredUpTo } = this.endpoint;
    for (const attempt of await readAttemptsAfter(this.deps.database.knex, id, deliveredUpTo)) {
      for (let position = attempt.firstPosition; position <= attempt.lastPosition; position++) {
        if (attempt.isDone) this.#done.add(position);
        else this.#countTry(position);
      }
    }
  }

  #countTry(position: number): number {
    const tries = (this.#tries.get(position) ?? 0) + 1;
    this.#tries.set(position, tries);
    return tries;
  }

  #mayGoOn(): boolean {
    return (
      !this.stopping.aborted &&
      performance.now() < this.#end &&
      this.#progress.isLeased() &&
      this.#failuresInARow < MAX_FAILURES &&
      this.#lastFailure?.status !== 410 &&
      !this.#hasUnreportedGap &&
      this.#faults.length === 0
    );
  }

  /** Returns the events of the next request, or `undefined` if nothing may be sent now. */
  #next(): Events | undefined {
    const { batch } = this.endpoint;
    if (this.#failuresInARow === 0) {
      if (this.#inProgress.size >= this.#maxInProgress) return undefined;
      return this.#window.take(batch, (events) =>
        batch > 1 ? fittingCount(this.deps.publicUrl, events) : 1,
      );
    }
    // After a failure, events are sent one by one. A rejected event then doesn't cause others in its batch to fail.
    const mustWait = this.#inProgress.size > 0 || performance.now() < this.#notBefore;
    return mustWait ? undefined : this.#window.take(1);
  }

  #begin(events: Events): void {
    const delivery = this.#deliver(events)
      .catch((error) => void this.#faults.push(error))
      .finally(() => this.#inProgress.delete(delivery));
    this.#inProgress.add(delivery);
  }

  async #deliver(events: Events): Promise<void> {
    const [{ position: first }] = events;
    const last = events.at(-1)?.position ?? first;
    const sent = await this.#send(eventPayload(this.deps.publicUrl, events, this.endpoint.batch > 1));
    const [attempt = 1] = events.map(({ position }) => this.#countTry(position));
    const isSkipped = sent.outcome === "rejected" && events.length === 1 && this.#isSkippedAfter(attempt);
    this.#note("events", { first, last, attempt }, isSkipped ? { ...sent, outcome: "skipped" } : sent);
    this.#window.settle(events, sent.outcome === "delivered" || isSkipped);
    if (isSkipped) this.#skip(first, sent);
    else this.#judge(sent);
    await this.#progress.storeIfDue();
  }

  #note(
    kind: "events" | "gap",
    { first, last, attempt }: { readonly first: number; readonly last: number; readonly attempt: number },
    { at, ms, outcome, status, error }: Omit<NewWebhookAttempt, "kind" | "attempt">,
  ): void {
    const positions = { firstPosition: first, lastPosition: last };
    this.#progress.note({ kind, ...positions, attempt, at, ms, outcome, status, error });
  }

  #isSkippedAfter(attempt: number): boolean {
    const { skipRejectedAfter } = this.endpoint;
    return skipRejectedAfter !== null && attempt >= skipRejectedAfter;
  }

  #skip(position: number, { status }: SentMessage): void {
    this.#failuresInARow = 0;
    this.deps.log.warn(
      { endpoint: this.endpoint.id, position, status },
      "event skipped because the webhook's receiver rejected it",
    );
  }

  async #send(payload: Payload): Promise<SentMessage> {
    const { onAttempt, tracer } = this.deps;
    const sent = await sendMessage(this.posting, this.#sign, payload, tracer);
    onAttempt(sent.outcome, sent.ms / 1000);
    return sent;
  }

  #judge(sent: SentMessage): void {
    if (sent.outcome === "delivered") {
      this.#hasSucceeded = true;
      this.#failuresInARow = 0;
      if (this.endpoint.batch === 1) this.#maxInProgress = Math.min(MAX_CONCURRENCY, this.#maxInProgress + 1);
      return;
    }
    this.#failuresInARow++;
    this.#lastFailure = sent;
    this.#notBefore = performance.now() + this.#timings.afterFailureMs;
  }

  async #readIfNeeded(): Promise<void> {
    const { batch, window } = this.endpoint;
    if (this.#hasReadAll || this.#window.span >= 2 * Math.max(window, batch)) return;
    const after = this.#window.readUpTo;
    const waiting = await readWaiting(this.deps.database, this.endpoint, after, NEVER_ABORTS);
    if (waiting.removedUpTo <= after) {
      this.#hasReadAll = waiting.isAll;
      this.#window.add(waiting.events, waiting.readUpTo, ({ position }) => this.#done.has(position));
    } else if (this.#window.span === 0) {
      await this.#reportGap(after, waiting.removedUpTo);
    }
  }

  /**
   * Reports events that were removed before they were delivered. No events are sent until the receiver accepts the
   * report.
   */
  async #reportGap(after: number, removedUpTo: number): Promise<void> {
    const { publicUrl, log, database } = this.deps;
    const gap = { from: after + 1, to: removedUpTo };
    const sent = await this.#send(gapPayload(publicUrl, this.endpoint.id, gap, new Date()));
    const attempt = this.endpoint.failedRounds + 1;
    this.#note("gap", { first: gap.from, last: gap.to, attempt }, sent);
    this.#judge(sent);
    this.#hasUnreportedGap = sent.outcome !== "delivered";
    if (this.#hasUnreportedGap) return;
    this.#window.add([], removedUpTo, () => false);
    log.warn(
      { endpoint: this.endpoint.id, ...gap },
      "events were removed before they were delivered to a webhook",
    );
    const range = gap.from === gap.to ? `Event ${gap.from} was` : `Events ${gap.from} to ${gap.to} were`;
    await noteGap(
      database.knex,
      this.endpoint,
      `${range} removed (EVENT_RETENTION_DAYS) and never delivered.`,
    );
  }
}
