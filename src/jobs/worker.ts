import { EventEmitter } from "node:events";
import { runTaskList, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import type { Logger } from "pino";
import { repeat } from "../concurrency/repeat.js";
import { settlesWithin } from "../concurrency/settles-within.js";
import { connectionsTo } from "../db/connection.js";
import { type Outage, Problem } from "../errors.js";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.js";
import { handleDeadLetters, type OnDeadLetter } from "./dead-letters.js";
import { startHeartbeat } from "./heartbeat.js";
import { createQueuePool } from "./queue-pool.js";
import { releaseJobs, releaseStrayJobs } from "./queue-store.js";
import { requeueAbandonedJobs } from "./requeue-abandoned.js";
import { createTaskList, type OnJobRun } from "./task-list.js";
import type { Tasks } from "./tasks.js";
import { createQueueLogger, logEvents } from "./worker-log.js";

/** A worker that runs the jobs of the queue, some at a time, beside any number of others. */
export interface Worker {
  /**
   * Resolves when it runs no more jobs. It may give up by itself, after minutes without a database or when a newer version
   * has changed the queue: then its process should be started anew.
   */
  readonly ended: Promise<void>;
  /** Takes no more jobs and waits for those under way, which are given back after `deadlineMs` (default: 20 s). */
  stop(deadlineMs?: number): Promise<void>;
}

export interface WorkerOptions {
  readonly databaseUrl: string;
  readonly tasks: Tasks;
  /** Gets the jobs that failed for the last time, and within two minutes those whose worker was killed then. */
  readonly onLost: OnDeadLetter;
  /** How many jobs run at a time. */
  readonly concurrency: number;
  readonly onRun?: OnJobRun;
  /** Look whether what jobs need works; without a look, the jobs find out. */
  readonly probes?: Partial<Record<Outage, () => Promise<void>>>;
  /** Is told when jobs begin to wait for something, and when they go on. */
  readonly onOutage?: (outage: Outage, isOut: boolean) => void;
  readonly log: Logger;
  readonly timings?: Partial<WorkerTimings>;
}

/** In milliseconds. */
export interface WorkerTimings {
  /** How often a worker says that it is alive. */
  readonly heartbeat: number;
  /** After how long without it others take its jobs. */
  readonly silence: number;
  /** How often each worker looks for jobs to rescue. */
  readonly rescue: number;
  /** After a first failure for want of something, how long all jobs that need it wait for a look at it; doubled each time. */
  readonly firstPause: number;
  /** The longest such pause, and how long the job itself stays away. */
  readonly longestPause: number;
}

const DEFAULT_TIMINGS: WorkerTimings = {
  heartbeat: 10_000,
  silence: 60_000,
  rescue: 60_000,
  firstPause: 1_000,
  longestPause: 30_000,
};

const DEADLINE_MS = 20_000;
/** The queue's statements are small. A connection that falls silent is given up while the worker still counts as alive. */
const PATIENCE = { statement: 30_000, lock: 10_000, idleInTransaction: 60_000, answer: 32_000 };

/** What jobs that were told to end, and then the last statements, may take. */
const GRACE_MS = 2_000;

/**
 * Starts a worker. It waits for a database that does not answer, and outlasts outages.
 *
 * It says that it is alive before it takes its first job, so that the jobs of whoever does not can be taken from him.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { tasks, onLost, onRun, log } = options;
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const db = openPool(options);
  const cutOff = new AbortController();
  const running = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  logEvents(events, log);
  const stopping = new AbortController();
  const breakers = openBreakers(options, timings, stopping.signal);

  let admit = () => {};
  const admitted = new Promise<void>((resolve) => {
    admit = resolve;
  });
  const workerPool = runTaskList(
    {
      concurrency: options.concurrency,
      noHandleSignals: true,
      forbiddenFlags: () => (Object.keys(breakers) as Outage[]).filter((outage) => breakers[outage].isOpen()),
      logger: createQueueLogger(log),
      events,
      preset: {
        worker: {
          // Without a batch, the failure to write down an end is an unhandled rejection, which ends the process.
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
        plugins: [
          { name: "heartbeat-first", version: "1", worker: { hooks: { startWorker: () => admitted } } },
        ],
      },
    },
    createTaskList({
      tasks,
      breakers,
      postponeMs: timings.longestPause,
      onLost,
      onRun,
      db,
      running,
      signal: cutOff.signal,
    }),
    createQueuePool(db, cutOff.signal),
  );
  const ended = workerPool.promise.catch((error) => log.error({ err: error }, "the worker ended badly"));

  const heartbeat = startHeartbeat(db, workerPool.id, timings.heartbeat, log);
  void heartbeat.firstBeat.then(admit);
  const rescue = repeat({
    name: "the rescue of jobs",
    pauseMs: timings.rescue,
    log,
    async work() {
      await requeueAbandonedJobs(db, timings.silence, log);
      await releaseStrayJobs(db, workerPool.id, running, timings.silence);
      await handleDeadLetters(db, workerPool.id, Object.keys(tasks), onLost);
    },
  });

  async function finishJobs(deadlineMs: number): Promise<void> {
    if (!workerPool._shuttingDown) void Promise.resolve(workerPool.gracefulShutdown()).catch(() => {});
    admit(); // whoever still waits for the first heartbeat finds the pool closed
    if (await settlesWithin(ended, deadlineMs)) return;
    log.warn({ jobs: [...running] }, "giving back jobs that take too long");
    await giveBack();
    cutOff.abort(new Problem("cancelled", "The worker ends."));
    await settlesWithin(ended, GRACE_MS);
    await giveBack(); // a statement that took a job may have been under way
  }

  async function giveBack(): Promise<void> {
    await releaseJobs(db, workerPool.id).catch((error) =>
      log.error({ err: error }, "giving them back failed"),
    );
  }

  async function release(): Promise<void> {
    stopping.abort();
    await rescue.stop();
    await heartbeat
      .stop()
      .catch((error) => log.warn({ err: error }, "signing off failed; others will notice"));
    await db.end();
  }

  let stopped: Promise<void> | undefined;
  return {
    ended,
    stop(deadlineMs = DEADLINE_MS) {
      // A database that does not answer must not hold up the end.
      stopped ??= finishJobs(deadlineMs).then(async () => {
        await settlesWithin(release(), GRACE_MS);
      });
      return stopped;
    },
  };
}

function openBreakers(
  { probes, onOutage = () => {}, log }: WorkerOptions,
  { firstPause: first, longestPause: longest }: WorkerTimings,
  signal: AbortSignal,
): Record<Outage, CircuitBreaker> {
  const open = (outage: Outage) =>
    createCircuitBreaker({
      outage,
      probe: probes?.[outage],
      pauses: { first, longest },
      signal,
      onChange: onOutage,
      log,
    });
  return { store: open("store"), mail: open("mail") };
}

/** A connection for each job, as each may end at the same moment, and three: to listen, for heartbeat and for rescue. */
function openPool({ databaseUrl, concurrency, log }: WorkerOptions): pg.Pool {
  const connections = connectionsTo(databaseUrl, "learning-credentials worker", PATIENCE, () =>
    connections.dropIdle(),
  );
  const { settings, Client } = connections;
  const pool = new pg.Pool({ ...settings, Client, max: concurrency + 3 });
  // A connection that broke is replaced at its next use; that the database is gone, the heartbeat tells.
  const onError = (error: Error) => log.debug({ err: error }, "a connection of the worker broke");
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}
