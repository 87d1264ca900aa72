import type { Job, TaskList } from "graphile-worker";
import type { Pool } from "pg";
import { retryForever } from "../concurrency/retry-forever.js";
import type { Outage } from "../errors.js";
import type { CircuitBreaker } from "./circuit-breaker.js";
import type { DeadLetter, OnDeadLetter } from "./dead-letters.js";
import { outageOf, PostponeError } from "./postpone-error.js";
import { completeHeldJob, isHeld, postponeHeldJob } from "./queue-store.js";
import { needs, type Task, type TaskName, type Tasks } from "./tasks.js";

/** How a run of a job has ended. */
export type RunOutcome = "done" | "failed" | "postponed";

/** Is told of every run of a job that has ended. */
export type OnJobRun = (task: string, outcome: RunOutcome, seconds: number) => void;

/** The tasks as graphile-worker calls them. */
export function createTaskList(deps: {
  tasks: Tasks;
  breakers: Record<Outage, CircuitBreaker>;
  /** How long a job that was given back in an outage stays away, in milliseconds; at least half of it. */
  postponeMs: number;
  onLost: OnDeadLetter;
  onRun: OnJobRun | undefined;
  db: Pool;
  /** Gets the ids of the jobs that are being run. */
  running: Set<string>;
  signal: AbortSignal;
}): TaskList {
  const { tasks, breakers, postponeMs, onLost, onRun, db, running, signal } = deps;

  async function runJob(name: TaskName, task: Task<unknown>, job: Job): Promise<void> {
    const needed = needs[name];
    // Its worker asks for jobs that need nothing of the kind, but this one was on its way, or of a version without flags.
    if (breakers[needed].isOpen()) throw await postponed(job, needed);
    const isLastAttempt = job.attempts >= job.max_attempts;
    try {
      await task(job.payload, { signal, isLastAttempt });
    } catch (error) {
      const outage = outageOf(error);
      if (outage !== undefined) {
        if (outage !== "database") breakers[outage].trip(error);
        throw await postponed(job, outage, error);
      }
      // graphile-worker writes down the failure next: waiting for the database here, an outage costs a job one attempt.
      const isOurs = await retryForever(() => isHeld(db, job), signal).catch(() => false);
      if (isOurs && isLastAttempt) await handOver(job).catch(() => {}); // the rescue tries again
      throw error;
    }
    breakers[needed].reset();
    const wasOurs = await retryForever(() => completeHeldJob(db, job), signal);
    if (!wasOurs) throw new Error("the job went to another worker, as this one was silent for too long");
  }

  /**
   * Gives the job back without counting the attempt. graphile-worker learns of a failure, which it then can't write down, as
   * the job is not locked any more; a success would have it remove the job.
   */
  async function postponed(job: Job, waitsFor: Outage | "database", cause?: unknown): Promise<PostponeError> {
    const reason = new PostponeError(waitsFor, cause);
    const pauseMs = postponeMs * (0.5 + Math.random() / 2);
    await retryForever(() => postponeHeldJob(db, job, pauseMs, String(cause ?? reason)), signal);
    return reason;
  }

  async function handOver(job: Job): Promise<void> {
    await onLost([{ task: job.task_identifier, payload: job.payload } as DeadLetter]);
    await completeHeldJob(db, job);
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
