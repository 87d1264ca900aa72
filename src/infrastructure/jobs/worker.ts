import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { repeat } from "#foundation/concurrency/repeat.js";
import { settlesWithin } from "#foundation/concurrency/settles-within.js";
import { type Outage, Problem } from "#foundation/errors.js";
import { connectionsTo, type DatabaseSessions, OWN_SESSIONS } from "../db/connection.js";
import { listenTo } from "../db/listener.js";
import { closePool, openPool } from "../db/open-database.js";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.js";
import { createLeases } from "./leases.js";
import type { Job } from "./queue-store.js";
import { createRunJob, type OnDeadJobs, type RunOutcome } from "./run-job.js";
import { retryPolicies, type TaskName, type Tasks } from "./tasks.js";

export interface Worker {
  /** Waits for running jobs. After `deadlineMs` (default: 20 s), they are returned to the queue. */
  stop(deadlineMs?: number): Promise<void>;
}

type OnJobRun = (task: string, outcome: RunOutcome, seconds: number) => void;

export interface WorkerOptions {
  readonly databaseUrl: string;
  /** URL of the server itself, if `databaseUrl` leads to a pooler, and the properties of the pooler's sessions. */
  readonly directUrl?: string;
  readonly sessions?: DatabaseSessions;
  readonly tasks: Tasks;
  readonly onDead: OnDeadJobs;
  readonly concurrency: number;
  readonly onRun?: OnJobRun;
  /**
   * Probes that check whether the systems that jobs need are available. Without a probe, the next job is tried instead.
   */
  readonly probes?: Partial<Record<Outage, () => Promise<void>>>;
  /** Called when jobs start or stop waiting for a system. */
  readonly onOutage?: (outage: Outage, isOut: boolean) => void;
  readonly log: Logger;
  readonly timings?: Partial<WorkerTimings>;
}

/** Times in milliseconds. */
interface WorkerTimings {
  /** Time without a renewal after which other workers may take a job. */
  readonly lease: number;
  /** Interval at which the leases of running jobs are renewed. */
  readonly renewal: number;
  /** Interval at which the worker checks for jobs without a notification. */
  readonly poll: number;
  /**
   * Pause after the first failure due to an outage of another system. During the pause, all jobs that need that system
   * wait for a probe. The pause is doubled after each further failure.
   */
  readonly firstPause: number;
  /** Maximum length of the doubled pauses, and the time for which the failed job itself waits. */
  readonly longestPause: number;
}

const DEFAULT_TIMINGS: WorkerTimings = {
  lease: 10_000,
  renewal: 2_500,
  poll: 2_000,
  firstPause: 1_000,
  longestPause: 30_000,
};

const DEADLINE_MS = 20_000;

/** Timeouts of the queue's statements, which are small. A statement that hangs must fail before the leases expire. */
const TIMEOUTS = { statement: 5_000, lock: 4_000, idleInTransaction: 5_000, answer: 6_000 };

/** Number of connections. One takes jobs, one renews leases, and the others record results of runs, in groups. */
const CONNECTIONS = 5;

/** Minimum time between queries for jobs, so that many jobs are taken together. */
const MIN_POLL_INTERVAL_MS = 15;

/** How long to wait for more free places before taking jobs, if less than a quarter of the places are free. */
const FULL_DELAY_MS = 50;

/** Time limit for each of the last steps: returning unfinished jobs, ending aborted jobs, and closing connections. */
const GRACE_MS = 2_000;

/**
 * Starts a worker. Any number of workers may run. The worker waits while the database is unavailable, and survives
 * outages.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { tasks, concurrency, onRun, log } = options;
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const pool = openWorkerPool(options);
  const stopping = new AbortController();
  const cutOff = new AbortController();
  setMaxListeners(0, cutOff.signal); // each job that waits for the database adds a listener
  const breakers = openBreakers(options, timings, stopping.signal);
  const runJob = createRunJob({
    ...options,
    db: pool.knex,
    breakers,
    postponeMs: timings.longestPause,
    leaseMs: timings.lease,
    groupSize: concurrency,
    signal: cutOff.signal,
  });
  const leases = createLeases(pool.knex, timings, log);
  const bell = createBell();

  async function run(job: Job): Promise<void> {
    const started = performance.now();
    // `runJob` rejects only if the worker ends and returns the job.
    const outcome = await runJob(job).catch((): RunOutcome => "failed");
    leases.drop(job);
    bell.ring();
    onRun?.(job.task, outcome, (performance.now() - started) / 1000);
  }

  /** Returns whether there may be more jobs. */
  async function take(): Promise<boolean> {
    const limit = concurrency - leases.count();
    if (limit === 0) return false;
    const { jobs, leasedAt } = await takeJobs(leases, runnableTasks(tasks, breakers), limit, stopping.signal);
    logLostJobs(jobs, log);
    for (const job of jobs) leases.hold(job, leasedAt, run(job));
    return jobs.length === limit;
  }

  const taking = repeat({
    name: "taking jobs",
    pauseMs: MIN_POLL_INTERVAL_MS,
    log,
    async work() {
      if (leases.count() > 0.75 * concurrency) await setTimeout(FULL_DELAY_MS);
      let isMore = false;
      try {
        isMore = await take();
      } finally {
        if (!isMore && !stopping.signal.aborted) await bell.wait(timings.poll);
      }
    },
  });
  const renewing = repeat({
    name: "renewing leases of jobs",
    pauseMs: timings.renewal,
    work: leases.renew,
    log,
  });
  const listening = listenForJobs(options, bell.ring);

  async function end(deadlineMs: number): Promise<void> {
    stopping.abort();
    bell.ring();
    const ended = taking.stop().then(() => leases.allEnded());
    await finishJobs({ ended, leases, cutOff, deadlineMs, log });
    const released = Promise.all([renewing.stop(), listening.close()]).then(() => closePool(pool));
    await settlesWithin(released, GRACE_MS);
  }

  let stopped: Promise<void> | undefined;
  return {
    stop(deadlineMs = DEADLINE_MS) {
      stopped ??= end(deadlineMs);
      return stopped;
    },
  };
}

/** Takes jobs from the queue. If the worker has begun to stop meanwhile, gives them back. */
async function takeJobs(
  leases: ReturnType<typeof createLeases>,
  tasks: TaskName[],
  limit: number,
  stopping: AbortSignal,
): Promise<{ readonly jobs: readonly Job[]; readonly leasedAt: number }> {
  const { jobs, leasedAt } = await leases.take(tasks, limit);
  if (!stopping.aborted) return { jobs, leasedAt };
  await leases.giveBack(jobs, "The worker ended before the job began.");
  return { jobs: [], leasedAt };
}

function logLostJobs(jobs: readonly Job[], log: Logger): void {
  const lost = jobs.filter(({ wasLost }) => wasLost).map(({ id }) => id);
  if (lost.length > 0) log.warn({ jobs: lost }, "jobs of workers that stopped responding were restarted");
}

/** Waits until the running jobs have ended. After the deadline, returns them to the queue and aborts them. */
async function finishJobs({
  ended,
  leases,
  cutOff,
  deadlineMs,
  log,
}: {
  readonly ended: Promise<unknown>;
  readonly leases: ReturnType<typeof createLeases>;
  readonly cutOff: AbortController;
  readonly deadlineMs: number;
  readonly log: Logger;
}): Promise<void> {
  if (await settlesWithin(ended, deadlineMs)) return;
  const unfinished = leases.jobs();
  log.warn({ jobs: unfinished.map(({ id }) => id) }, "jobs did not finish in time and are requeued");
  await settlesWithin(leases.giveBack(unfinished, "The worker ended before the job did."), GRACE_MS);
  cutOff.abort(new Problem("cancelled", "The worker is shutting down."));
  await settlesWithin(ended, GRACE_MS);
}

/** Returns the tasks whose systems are available. */
function runnableTasks(tasks: Tasks, breakers: ReturnType<typeof openBreakers>): TaskName[] {
  const names = Object.keys(tasks) as TaskName[];
  return names.filter((task) => retryPolicies[task].needs.every((needed) => !breakers[needed].isOpen()));
}

/** Lets a loop wait until a job ends or arrives, or the polling interval has passed. */
function createBell() {
  let bell = new AbortController();
  return {
    ring: () => bell.abort(),
    async wait(ms: number): Promise<void> {
      await setTimeout(ms, undefined, { signal: bell.signal }).catch(() => {});
      bell = new AbortController();
    },
  };
}

function listenForJobs(
  { databaseUrl, directUrl = databaseUrl, log }: WorkerOptions,
  onNotification: () => void,
) {
  return listenTo({
    url: directUrl,
    channel: "jobs",
    application: "learning-credentials worker",
    name: "listening for jobs",
    onNotification,
    poll: async (connection) => void (await connection.query("select")),
    log,
  });
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
  return { store: open("store"), mail: open("mail"), timestamps: open("timestamps") };
}

function openWorkerPool({ databaseUrl, sessions = OWN_SESSIONS }: WorkerOptions) {
  const onSilence = () => connections.dropIdle();
  const connections = connectionsTo(
    databaseUrl,
    "learning-credentials worker",
    TIMEOUTS,
    onSilence,
    sessions,
  );
  return openPool(connections, CONNECTIONS);
}
