import type { Job, TaskList } from "graphile-worker";
import type { Pool } from "pg";
import { retryForever } from "../concurrency/retry-forever.js";
import type { Outage } from "../errors.js";
import type { CircuitBreaker } from "./circuit-breaker.js";
import type { DeadLetter, OnDeadLetter } from "./dead-letters.js";
import { outageOf, PostponeError } from "./postpone-error.js";
import { isFirstRun, isHeld, postponeHeldJob } from "./queue-store.js";
import { needs, type Task, type TaskName, type Tasks } from "./tasks.js";

/** How a run of a job has ended. */
export type RunOutcome = "done" | "failed" | "postponed";

/** Called with every run that has ended. */
export type OnJobRun = (task: string, outcome: RunOutcome, seconds: number) => void;

/** Builds the tasks in the form that graphile-worker calls. */
export function createTaskList(deps: {
  tasks: Tasks;
  breakers: Record<Outage, CircuitBreaker>;
  /** How long a job that was postponed in an outage waits, in milliseconds; at least half of it. */
  postponeMs: number;
  onLost: OnDeadLetter;
  onRun: OnJobRun | undefined;
  db: Pool;
  /** Removes a finished job. @returns false if this run no longer held it */
  complete: (job: Job) => Promise<boolean>;
  /** Receives the ids of the running jobs. */
  running: Set<string>;
  signal: AbortSignal;
}): TaskList {
  const { tasks, breakers, postponeMs, onLost, onRun, db, complete, running, signal } = deps;

  async function runJob(name: TaskName, task: Task<unknown>, job: Job): Promise<void> {
    const needed = needs[name];
    // The worker skips jobs that need this, but this job was on its way, or was enqueued without flags by
    // another version.
    if (needed !== undefined && breakers[needed].isOpen()) throw await postponed(job, needed);
    const isLastAttempt = job.attempts >= job.max_attempts;
    try {
      await task(job.payload, { signal, isFirstRun: isFirstRun(job), isLastAttempt });
    } catch (error) {
      const outage = outageOf(error);
      if (outage !== undefined) {
        if (outage !== "database") breakers[outage].trip(error);
        throw await postponed(job, outage, error);
      }
      // graphile-worker records the failure next. Waiting for the database here, an outage costs a job one
      // attempt.
      const isOurs = await retryForever(() => isHeld(db, job), signal).catch(() => false);
      if (isOurs && isLastAttempt) await handOver(job).catch(() => {}); // requeueing tries again
      throw error;
    }
    if (needed !== undefined) breakers[needed].reset();
    const wasOurs = await retryForever(() => complete(job), signal);
    if (!wasOurs) throw new Error("the job went to another worker, as this one was silent for too long");
  }

  /**
   * Postpones the job without counting the attempt. graphile-worker is told of a failure, which it can't
   * record, since the job is no longer locked. After a success it would remove the job.
   */
  async function postponed(job: Job, waitsFor: Outage | "database", cause?: unknown): Promise<PostponeError> {
    const reason = new PostponeError(waitsFor, cause);
    const pauseMs = postponeMs * (0.5 + Math.random() / 2);
    await retryForever(() => postponeHeldJob(db, job, pauseMs, String(cause ?? reason)), signal);
    return reason;
  }

  async function handOver(job: Job): Promise<void> {
    await onLost([{ task: job.task_identifier, payload: job.payload } as DeadLetter]);
    await complete(job);
  }

  async function runCounted(name: TaskName, job: Job): Promise<void> {
    running.add(job.id);
    const started = performance.now();
    let outcome: RunOutcome = "failed";
    try {
      await runJob(name, tasks[name] as Task<unknown>, job);
      outcome = "done";
    } catch (error) {
      if (error instanceof PostponeError) outcome = "postponed";
      throw error;
    } finally {
      running.delete(job.id);
      onRun?.(name, outcome, (performance.now() - started) / 1000);
    }
  }

  return Object.fromEntries(
    (Object.keys(tasks) as TaskName[]).map((name) => [
      name,
      (_payload: unknown, { job }: { job: Job }) => runCounted(name, job),
    ]),
  );
}
