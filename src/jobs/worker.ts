import { EventEmitter, setMaxListeners } from "node:events";
import { runTaskList, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import type { Logger } from "pino";
import { repeat } from "../concurrency/repeat.js";
import { settlesWithin } from "../concurrency/settles-within.js";
import { connectionsTo, OWN_SESSIONS, type Sessions } from "../db/connection.js";
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

/** A worker that runs jobs of the queue, several at a time, beside any number of other workers. */
export interface Worker {
  /**
   * Resolves when it runs no more jobs. It may stop by itself: after minutes without a database, or when a
   * newer version has changed the queue. Its process should be restarted then.
   */
  readonly ended: Promise<void>;
  /**
   * Takes no more jobs and waits for the running ones, which are returned to the queue after `deadlineMs`
   * (default: 20 s).
   */
  stop(deadlineMs?: number): Promise<void>;
}

export interface WorkerOptions {
  readonly databaseUrl: string;
  /** The server itself, if `databaseUrl` leads to a pooler; with what to expect of the pooler's sessions. */
  readonly directUrl?: string;
  readonly sessions?: Sessions;
  readonly tasks: Tasks;
  /**
   * Receives jobs that failed for the last time, and within two minutes those whose worker was killed in its
   * last attempt.
   */
  readonly onLost: OnDeadLetter;
  /** How many jobs run at a time. */
  readonly concurrency: number;
  readonly onRun?: OnJobRun;
  /** Check whether what jobs need works. Without a probe, the jobs find out. */
  readonly probes?: Partial<Record<Outage, () => Promise<void>>>;
  /** Called when jobs start or stop waiting for something. */
  readonly onOutage?: (outage: Outage, isOut: boolean) => void;
  readonly log: Logger;
  readonly timings?: Partial<WorkerTimings>;
}

/** In milliseconds. */
export interface WorkerTimings {
  /** Interval of a worker's heartbeat. */
  readonly heartbeat: number;
  /** A pool without a heartbeat for this long loses its jobs to others. */
  readonly silence: number;
  /** How often each worker looks for abandoned jobs. */
  readonly rescue: number;
  /** After a first outage failure, how long all jobs that need it wait for a probe; doubled each time. */
  readonly firstPause: number;
  /** Longest such pause, and how long the job itself waits. */
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
/**
 * The queue's statements are small. A silent connection is destroyed while the worker still counts as alive.
 */
const PATIENCE = { statement: 30_000, lock: 10_000, idleInTransaction: 60_000, answer: 32_000 };

/** Time for jobs that were told to end, and then for the last statements. */
const GRACE_MS = 2_000;

/**
 * Starts a worker. It waits for a database that does not answer, and survives outages.
 *
 * It sends a heartbeat before its first job: jobs locked by a worker without one are reassigned.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { tasks, onLost, onRun, log } = options;
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const db = openPool(options);
  const listener = options.sessions?.areKept === false ? openListener(options) : db;
  const cutOff = new AbortController();
  setMaxListeners(0, cutOff.signal); // each job that waits for the database listens
  const running = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  logEvents(events, log);
  const stopping = new AbortController();
  const breakers = openBreakers(options, timings, stopping.signal);
  const queue = createQueuePool(db, listener, options.concurrency, cutOff.signal);

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
          // Without batches, a failure to record an end is an unhandled rejection, which ends the process.
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
      complete: queue.complete,
      running,
      signal: cutOff.signal,
    }),
    queue.pool,
  );
  const ended = workerPool.promise.catch((error) =>
    log.error({ err: error }, "the worker stopped because of an error"),
  );

  const heartbeat = startHeartbeat(db, workerPool.id, timings.heartbeat, log);
  void heartbeat.firstBeat.then(admit);
  const rescue = repeat({
    name: "requeuing abandoned jobs",
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
    log.warn({ jobs: [...running] }, "jobs did not end in time; requeuing them");
    await giveBack();
    cutOff.abort(new Problem("cancelled", "The worker ends."));
    await settlesWithin(ended, GRACE_MS);
    await giveBack(); // a statement that took a job may have been under way
  }

  async function giveBack(): Promise<void> {
    await releaseJobs(db, workerPool.id).catch((error) =>
      log.error({ err: error }, "jobs could not be requeued"),
    );
  }

  async function release(): Promise<void> {
    stopping.abort();
    await rescue.stop();
    await heartbeat
      .stop()
      .catch((error) => log.warn({ err: error }, "the worker could not deregister; others will notice"));
    await Promise.all([...new Set([db, listener])].map((pool) => pool.end()));
  }

  let stopped: Promise<void> | undefined;
  return {
    ended,
    stop(deadlineMs = DEADLINE_MS) {
      // A database that does not answer must not delay the end.
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

/** Jobs end together in one statement. Those that fail do so one by one. */
const CONNECTIONS_FOR_JOBS = 4;

/** Three connections more: for listening, heartbeats and requeueing. */
function openPool({ databaseUrl, sessions, concurrency, log }: WorkerOptions): pg.Pool {
  const size = Math.min(concurrency, CONNECTIONS_FOR_JOBS) + 3;
  return connect(databaseUrl, sessions ?? OWN_SESSIONS, size, log);
}

/** Through a pooler that changes sessions, nothing would be heard. */
function openListener({ databaseUrl, directUrl = databaseUrl, log }: WorkerOptions): pg.Pool {
  return connect(directUrl, OWN_SESSIONS, 1, log);
}

function connect(url: string, sessions: Sessions, max: number, log: Logger): pg.Pool {
  const onSilence = () => connections.dropIdle();
  const connections = connectionsTo(url, "learning-credentials worker", PATIENCE, onSilence, sessions);
  const { settings, Client } = connections;
  const pool = new pg.Pool({ ...settings, Client, max });
  // A broken connection is replaced at its next use; the heartbeat reports a lost database.
  const onError = (error: Error) => log.debug({ err: error }, "a database connection of the worker failed");
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}
