import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { CredentialEvent } from "../credentials/events/credential-event.js";
import { NOBODY_LEAVES } from "../db/transaction.js";
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

/** Number of requests to one endpoint that are under way at once, when a round begins. */
const FIRST_LANES = 8;

/** Each request that is accepted allows one more, up to so many. */
const LANES = 16;

/** A round ends after so many failures in a row: the receiver is down, and the rest would fail, too. */
const MAX_FAILURES = 5;

/** How long a lane waits while it may send nothing, in milliseconds. */
const IDLE_MS = 5;

type Events = readonly [CredentialEvent, ...CredentialEvent[]];

/**
 * Delivers to an endpoint until nothing waits, something fails, or others should have a turn. Events of one
 * credential are sent in order. What has failed is sent again in a later round, and blocks what follows it.
 * @param leasedAt when the lease was asked for, by `performance.now()`
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

/** One turn of an endpoint. */
class Round {
  readonly #timings: DeliveryTimings;
  readonly #end: number;
  readonly #window: DeliveryWindow<CredentialEvent>;
  readonly #progress: DeliveryProgress;
  readonly #sign: Sign;
  /** Number of earlier attempts, by position. */
  readonly #tries = new Map<number, number>();
  /** Positions of events that earlier rounds have delivered. */
  readonly #done = new Set<number>();
  #reading: Promise<void> | undefined;
  #hasReadAll = false;
  #underWay = 0;
  #maxUnderWay = FIRST_LANES;
  #failuresInARow: number;
  /** While the receiver fails, nothing is sent before. */
  #notBefore = 0;
  #hasSucceeded = false;
  #lastFailure: SentMessage | undefined;
  #isGapUntold = false;

  constructor(
    private readonly deps: DeliveryDeps,
    private readonly endpoint: LeasedEndpoint,
    private readonly posting: Posting,
    leasedAt: number,
    private readonly stopping: AbortSignal,
  ) {
    this.#timings = { ...TIMINGS, ...deps.timings };
    this.#end = performance.now() + this.#timings.turnMs;
    this.#window = createDeliveryWindow(endpoint.deliveredUpTo, endpoint.windowSize);
    const deliveredUpTo = () => this.#window.deliveredUpTo;
    this.#progress = createDeliveryProgress(deps.database, endpoint, this.#timings, leasedAt, deliveredUpTo);
    this.#sign = createSign(deps.serviceSecrets, endpoint);
    this.#failuresInARow = endpoint.failedRounds > 0 ? 1 : 0;
  }

  async run(): Promise<void> {
    await this.#remember();
    const { batchSize, windowSize } = this.endpoint;
    const lanes = batchSize > 1 ? 1 : Math.min(LANES, windowSize);
    const ended = await Promise.allSettled(Array.from({ length: lanes }, () => this.#lane()));
    const failed = ended.find((each) => each.status === "rejected");
    if (failed) throw failed.reason;
    await this.#progress.store();
    if (!this.#progress.isLeased()) return;
    if (!this.#lastFailure) return releaseEndpoint(this.deps.database.knex, this.endpoint);
    await postponeRound(this.deps, this.endpoint, this.#lastFailure, this.#hasSucceeded);
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

  /** Several lanes take from one window. */
  async #lane(): Promise<void> {
    const { batchSize, windowSize } = this.endpoint;
    while (this.#mayGoOn()) {
      if (this.#isGapUntold) return;
      if (!this.#hasReadAll && this.#window.undelivered < 2 * Math.max(windowSize, batchSize))
        await this.#read();
      const isHeldBack =
        this.#underWay >= this.#maxUnderWay ||
        (this.#failuresInARow > 0 && (this.#underWay > 0 || performance.now() < this.#notBefore));
      // One by one after a failure, so that an event that is rejected does not take others with it.
      const events = isHeldBack ? undefined : this.#window.take(this.#failuresInARow > 0 ? 1 : batchSize);
      if (events) await this.#deliver(events);
      else if (!isHeldBack && this.#isStuck()) return;
      else await sleep(IDLE_MS);
    }
  }

  #mayGoOn(): boolean {
    return (
      !this.stopping.aborted &&
      performance.now() < this.#end &&
      this.#progress.isLeased() &&
      this.#failuresInARow < MAX_FAILURES &&
      this.#lastFailure?.status !== 410
    );
  }

  /** Whether nothing can be sent any more: everything was, or waits behind what has failed. */
  #isStuck(): boolean {
    if (this.#underWay > 0) return false;
    return this.#hasReadAll || this.#window.undelivered > 0;
  }

  async #deliver(taken: Events): Promise<void> {
    const source = this.deps.publicUrl();
    const isBatch = this.endpoint.batchSize > 1;
    const events = taken.slice(
      0,
      isBatch ? fittingCount(source, taken) : 1,
    ) as readonly CredentialEvent[] as Events;
    this.#window.giveBack(taken.slice(events.length));
    const [{ position: firstPosition }] = events;
    const lastPosition = events.at(-1)?.position ?? firstPosition;
    this.#underWay++;
    const sent = await this.#send(eventPayload(source, events, isBatch));
    this.#underWay--;
    const [attempt = 1] = events.map(({ position }) => this.#countTry(position));
    const isSkipped = sent.outcome === "rejected" && events.length === 1 && this.#isSkippedAfter(attempt);
    const outcome = isSkipped ? "skipped" : sent.outcome;
    const { at, ms, status, error } = sent;
    this.#progress.note({
      kind: "events",
      firstPosition,
      lastPosition,
      attempt,
      at,
      ms,
      outcome,
      status,
      error,
    });
    this.#window.settle(events, outcome === "delivered" || isSkipped);
    if (isSkipped) this.#passOver(firstPosition, sent);
    else this.#judge(sent);
    await this.#progress.storeIfDue();
  }

  /** Staff have decided beforehand that an event is skipped after so many rejections. */
  #isSkippedAfter(attempt: number): boolean {
    const { skipRejectedAfter } = this.endpoint;
    return skipRejectedAfter !== null && attempt >= skipRejectedAfter;
  }

  #passOver(position: number, { status }: SentMessage): void {
    this.#failuresInARow = 0;
    this.deps.log.warn(
      { endpoint: this.endpoint.id, position, status },
      "an event was skipped: the receiver of a webhook rejects it",
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
      this.#maxUnderWay = Math.min(LANES, this.#maxUnderWay + 1);
      return;
    }
    this.#failuresInARow++;
    this.#lastFailure = sent;
    this.#notBefore = performance.now() + this.#timings.afterFailureMs;
  }

  /** Lanes that need events at the same moment wait for one read. */
  #read(): Promise<void> {
    this.#reading ??= this.#readNext().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNext(): Promise<void> {
    const after = this.#window.readUpTo;
    const waiting = await readWaiting(this.deps.database, this.endpoint, after, NOBODY_LEAVES);
    if (waiting.removedUpTo <= after) {
      this.#hasReadAll = waiting.isAll;
      this.#window.add(waiting.events, waiting.readUpTo, ({ position }) => this.#done.has(position));
    } else if (this.#window.undelivered === 0) {
      await this.#tellGap(after, waiting.removedUpTo);
    }
  }

  /** Tells the receiver which events it will never get, because they were removed. Until it knows, nothing follows. */
  async #tellGap(after: number, removedUpTo: number): Promise<void> {
    const { publicUrl, log, database } = this.deps;
    const gap = { from: after + 1, to: removedUpTo };
    const sent = await this.#send(gapPayload(publicUrl(), this.endpoint.id, gap, new Date()));
    const { at, ms, status, error, outcome } = sent;
    this.#progress.note({
      kind: "gap",
      firstPosition: gap.from,
      lastPosition: gap.to,
      attempt: this.endpoint.failedRounds + 1,
      at,
      ms,
      outcome,
      status,
      error,
    });
    this.#judge(sent);
    this.#isGapUntold = outcome !== "delivered";
    if (this.#isGapUntold) return;
    this.#window.add([], removedUpTo, () => false);
    log.warn({ endpoint: this.endpoint.id, ...gap }, "events were removed before a webhook was delivered");
    const range = gap.from === gap.to ? `event ${gap.from} was` : `events from ${gap.from} to ${gap.to} were`;
    await noteGap(
      database.knex,
      this.endpoint,
      `The ${range} removed (EVENT_RETENTION_DAYS) and never delivered.`,
    );
  }
}
