import type { Logger } from "pino";
import { Cancellation, untilCancelled } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";
import { onPool, type ReadOn } from "./batch-loader.js";
import { connectionsTo } from "./connection.js";
import { closePool, type Database, openPool } from "./database.js";
import { createFreshness } from "./freshness.js";
import { OUT_OF_REACH } from "./outage.js";
import { type BorrowedConnection, borrowConnection, onConnection, withConnection } from "./query.js";
import { NotFresh, openReplica, readPosition } from "./replica.js";

/** Reads for verification. With a replica, it answers where that is certain to be recent. */
export interface PublicReads {
  readonly readOn: ReadOn;
  /** Begins to follow primary and replica. Until then, and without a replica, the primary answers. */
  follow(): void;
  /** undefined: there is no replica */
  readonly replica: ReplicaState | undefined;
}

/** What is to be told of the replica. */
export interface ReplicaState {
  /** Rejects while the primary answers in its place. */
  check(): Promise<void>;
}

/** How often the primary is asked for its position. */
const ASK_MS = 250;

/** An answer of the replica that may be older than this is not used. */
const MAX_AGE_MS = 2_000;

/** If the primary has been silent for so many questions, 4 seconds, nothing is answered. */
const MAX_UNANSWERED = 16;

/** The replica is looked at this often while nobody else asks it, or while it is set aside. */
const LOOK_MS = 1_000;

/** A read that the replica does not answer within this time goes to the primary. */
const REPLICA_MS = 1_000;

/**
 * A question that is not answered soon is asked anew, on another connection. To open one takes a busy machine
 * longer.
 */
const ASKING = { statement: 1_500, lock: 1_500, idleInTransaction: 1_500, answer: 1_500, connect: 3_000 };

/** Reads with a replica, whose connections have to be closed. */
export interface OpenReads extends PublicReads {
  /** Seconds by which the replica may be behind; undefined if that was never known. */
  staleness(): number | undefined;
  close(): Promise<void>;
}

/** Reads of the primary alone. */
export function primaryReads(database: Database): PublicReads {
  return { readOn: onPool(database.reads), follow() {}, replica: undefined };
}

/**
 * Opens the replica for reads that may be at most 2 seconds old. Nobody's clock is compared with another's.
 *
 * Every 250 ms this process asks the primary for its position in the log and remembers when it began to ask.
 * A replica is asked how far it has replayed before it is read. If that includes a remembered position, the
 * answer contains all that was committed when that position was asked for. If that was too long ago, or the
 * replica fails, the primary gets the same question.
 *
 * Once the primary has been silent for 4 seconds, another may have taken its place without our knowing it,
 * and withdrawn credentials. Nothing is answered then.
 *
 * This is as true as the address of the primary. An old primary that is still reached there, and still
 * accepts changes beside a new one, would mislead without a replica, too.
 */
export function openPublicReads(
  database: Database,
  url: string,
  log: Logger,
  onAnswer: (from: "replica" | "primary") => void,
): OpenReads {
  const freshness = createFreshness(2 * MAX_AGE_MS);
  const replica = openReplica(url, freshness);
  const asking = openPool(
    connectionsTo(database.url, "learning-credentials position", ASKING, undefined, database.sessions),
    1,
  );
  /** Why the replica is not used. */
  let trouble: unknown = new Error("it was not looked at yet");
  let isTroubleTold = false;
  let latestAsOf: number | undefined;
  let latestLook = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  let unanswered = 0;
  /** Cancelled while the primary is silent. */
  let primary = new Cancellation();
  let timer: NodeJS.Timeout | undefined;

  async function askPrimary(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      freshness.note(await borrowConnection(asking, readPosition));
      unanswered = 0;
      if (primary.isCancelled) primary = new Cancellation();
    } catch {
      // The next question shows whether it is still silent.
    } finally {
      isAsking = false;
    }
  }

  /** Ticks are counted, not time: a process that was paused has not given the primary a chance to answer. */
  function tick(): void {
    if (unanswered++ === MAX_UNANSWERED) {
      primary.cancel(
        new Problem("unavailable", OUT_OF_REACH, { reason: "DATABASE_UNAVAILABLE", retryAfter: 1 }),
      );
    }
    void askPrimary();
    if (performance.now() - latestLook > LOOK_MS) void look();
  }

  async function look(): Promise<void> {
    latestLook = performance.now();
    try {
      await readReplica(new AbortController().signal, async () => undefined);
      if (trouble === undefined) return;
      trouble = undefined;
      if (isTroubleTold) log.info("the database's replica answers again");
      isTroubleTold = false;
    } catch (error) {
      setAside(error);
    }
  }

  function setAside(error: unknown): void {
    trouble = error;
    if (isTroubleTold || timer === undefined) return;
    isTroubleTold = true;
    log.warn({ err: error }, "the primary answers in place of the database's replica");
  }

  async function readReplica<T>(
    signal: AbortSignal,
    work: (connection: BorrowedConnection) => Promise<T>,
  ): Promise<T> {
    const limit = new Cancellation();
    const patience = setTimeout(
      () => limit.cancel(new Error(`no answer within ${REPLICA_MS} ms`)),
      REPLICA_MS,
    );
    const leave = () => limit.cancel(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await untilCancelled(limit, onConnection(replica, limit.signal, readRecent));
    } finally {
      clearTimeout(patience);
      signal.removeEventListener("abort", leave);
    }

    async function readRecent(borrowed: BorrowedConnection): Promise<T> {
      const asOf = await replica.prove(borrowed.connection);
      const answer = await work(borrowed);
      const now = performance.now();
      if (latestAsOf === undefined || asOf > latestAsOf) latestAsOf = asOf;
      latestLook = now;
      const age = now - asOf;
      if (age > MAX_AGE_MS) throw new NotFresh(`it is up to ${Math.round(age)} ms behind`);
      return answer;
    }
  }

  async function readPrimary<T>(
    signal: AbortSignal,
    work: (connection: BorrowedConnection) => Promise<T>,
  ): Promise<T> {
    const heard = primary;
    heard.throwIfCancelled();
    return untilCancelled(
      heard,
      withConnection(database.reads, signal, (connection) => {
        heard.throwIfCancelled(); // it is not tried again
        return work(connection);
      }),
    );
  }

  return {
    async readOn(signal, work) {
      if (trouble === undefined) {
        try {
          const answer = await readReplica(signal, work);
          onAnswer("replica");
          return answer;
        } catch (error) {
          signal.throwIfAborted();
          setAside(error);
        }
      }
      const answer = await readPrimary(signal, work);
      onAnswer("primary");
      return answer;
    },
    follow() {
      timer = setInterval(tick, ASK_MS).unref();
      latestLook = performance.now();
      void askPrimary().then(look);
    },
    replica: {
      async check() {
        if (timer !== undefined && trouble !== undefined) throw trouble;
      },
    },
    staleness: () => latestAsOf && (performance.now() - latestAsOf) / 1_000,
    async close() {
      clearInterval(timer);
      timer = undefined;
      await Promise.all([replica.close(), closePool(asking)]);
    },
  };
}
