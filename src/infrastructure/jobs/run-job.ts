import type { Logger } from "pino";
import { createGrouping } from "#foundation/concurrency/grouping.js";
import { retryForever } from "#foundation/concurrency/retry-forever.js";
import type { Outage, Shortage } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";
import type { Knex } from "../db/query.js";
import type { CircuitBreaker } from "./circuit-breaker.js";
import type { NewJob } from "./enqueue.js";
import { outageOf } from "./outage-of.js";
import { completeJobs, type Job, type ReturnedJob, renewLeases, returnJobs } from "./queue-store.js";
import { retryPolicies, type Task, type Tasks } from "./tasks.js";

export type RunOutcome = "done" | "failed" | "postponed";

/**
 * Handles jobs without attempts left: their task failed, or their worker was killed. When the function resolves, the
 * jobs are removed from the queue. Only one worker at a time gets a job. If the function rejects, or the worker stops,
 * the function is called again with the job.
 */
export type OnDeadJobs = (jobs: readonly NewJob[]) => Promise<void>;

interface RunDeps {
  readonly db: Knex;
  readonly tasks: Tasks;
  readonly breakers: Record<Outage, CircuitBreaker>;
  /** Time for which a job is postponed in an outage, randomly shortened by up to half. */
  readonly postponeMs: number;
  readonly leaseMs: number;
  readonly onDead: OnDeadJobs;
  /** Maximum number of jobs per statement. */
  readonly groupSize: number;
  /** Aborts when the worker is stopping and can't wait any longer. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

const MAX_ERROR_LENGTH = 2_000;

/** Names of dependencies and resources in the errors of waiting jobs. */
const dependencyNames: Readonly<Record<Outage | Shortage, string>> = {
  database: "database",
  processor: "processor",
  store: "file store",
  mail: "email server",
  timestamps: "timestamp authority",
};

/**
 * Creates the function that runs a job and records the result, however long the database is unavailable. Results at
 * about the same time are recorded together. The function rejects only if the worker ends first.
 */
export function createRunJob(deps: RunDeps): (job: Job) => Promise<RunOutcome> {
  const { db, tasks, breakers, postponeMs, leaseMs, onDead, groupSize, signal, log } = deps;
  // If a statement that records results fails, the database is the cause, so jobs are not retried individually.
  const groups = { size: groupSize, isOfOneItem: () => false };
  const record = <Item, Result>(together: (items: readonly Item[]) => Promise<readonly Result[]>) => {
    const grouped = createGrouping(groups, together);
    return (item: Item) => retryForever(() => grouped(item), signal);
  };
  const complete = record((jobs: readonly Job[]) => completeJobs(db, jobs));
  const keep = record((jobs: readonly Job[]) => renewLeases(db, jobs, leaseMs));
  const putBack = record(async (returned: readonly ReturnedJob[]) => {
    await returnJobs(db, returned);
    return returned;
  });
  const handOver = createGrouping<Job, Job>({ size: groupSize, isOfOneItem: () => true }, async (jobs) => {
    await onDead(jobs.map(({ task, payload }) => ({ task, payload }) as NewJob));
    return jobs;
  });

  async function postpone(job: Job, waitsFor: Outage | Shortage, cause?: unknown): Promise<RunOutcome> {
    const error = cause === undefined ? `waits for the ${dependencyNames[waitsFor]}` : describe(cause);
    await putBack({ job, isCounted: false, pauseMs: postponeMs * (0.5 + Math.random() / 2), error });
    return "postponed";
  }

  async function giveUp(job: Job, error: string): Promise<RunOutcome> {
    try {
      await handOver(job);
      await complete(job);
    } catch (cause) {
      const { id: jobId, task } = job;
      log.error(
        { jobId, task, err: cause },
        "job has no attempts left, but could not be marked as failed; trying again",
      );
      // If the job had no attempts left when it was taken, this run was not an attempt.
      await putBack({ job, isCounted: job.attempts <= job.maxAttempts, pauseMs: postponeMs, error });
    }
    return "failed";
  }

  async function fail(job: Job, cause: unknown): Promise<RunOutcome> {
    const { id: jobId, task, attempts: attempt, maxAttempts } = job;
    const line = { jobId, task, attempt, maxAttempts, err: cause };
    if (attempt < maxAttempts) {
      log.warn(line, "job failed; retrying");
      await putBack({ job, isCounted: true, pauseMs: backOffMs(attempt), error: describe(cause) });
      return "failed";
    }
    log.error(line, "job failed permanently");
    return (await keep(job)) ? giveUp(job, describe(cause)) : "failed";
  }

  return async (job) => {
    const { id: jobId, task, payload, runs, attempts, maxAttempts } = job;
    if (attempts > maxAttempts) return giveUp(job, "The job's worker stopped unexpectedly.");
    const { needs } = retryPolicies[task];
    // The worker doesn't take jobs that need an unavailable system, but this job was already taken.
    const missing = needs.find((needed) => breakers[needed].isOpen());
    if (missing !== undefined) return postpone(job, missing);
    try {
      const run = { signal, isFirstRun: runs === 1, isLastAttempt: attempts === maxAttempts };
      await (tasks[task] as Task<typeof payload>)(payload, run);
    } catch (error) {
      const waitsFor = outageOf(error);
      if (waitsFor === undefined) return fail(job, error);
      if (waitsFor !== "database" && waitsFor !== "processor") breakers[waitsFor].trip(error);
      log.warn(
        { jobId, task, waitsFor, err: error },
        "job requeued because a dependency is unavailable or overloaded",
      );
      return postpone(job, waitsFor, error);
    }
    for (const needed of needs) breakers[needed].reset();
    if (await complete(job)) return "done";
    log.warn({ jobId, task }, "job went to another worker because this one did not renew its lease in time");
    return "failed";
  };
}

function backOffMs(attempts: number): number {
  return Math.exp(Math.min(attempts, 10)) * 1000;
}

function describe(error: unknown): string {
  return shorten(error instanceof Error ? error.message : String(error), MAX_ERROR_LENGTH);
}
