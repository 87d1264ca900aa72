import type { Job, TaskList } from "graphile-worker";
import type { Pool } from "pg";
import { timed } from "../timed.js";
import { completeHeldJob, isHeld } from "./held-jobs.js";
import type { LostJob, OnLost } from "./lost-jobs.js";
import { patiently } from "./patiently.js";
import type { Task, Tasks } from "./tasks.js";

/** Is told of every run of a job that has ended. */
export type OnRun = (task: string, outcome: "done" | "failed", seconds: number) => void;

/** The tasks as graphile-worker calls them. */
export function createTaskList(parts: {
  tasks: Tasks;
  onLost: OnLost;
  onRun: OnRun | undefined;
  db: Pool;
  /** Gets the ids of the jobs that are being run. */
  running: Set<string>;
  signal: AbortSignal;
}): TaskList {
  const { tasks, onLost, onRun, db, running, signal } = parts;

  async function runJob(task: Task<unknown>, job: Job): Promise<void> {
    const isLastAttempt = job.attempts >= job.max_attempts;
    try {
      await task(job.payload, { signal, isLastAttempt });
    } catch (error) {
      // graphile-worker writes down the failure next: waiting for the database here, an outage costs a job one attempt.
      const isOurs = await patiently(() => isHeld(db, job), signal).catch(() => false);
      if (isOurs && isLastAttempt) await handOver(job).catch(() => {}); // the rescue tries again
      throw error;
    }
    const wasOurs = await patiently(() => completeHeldJob(db, job), signal);
    if (!wasOurs) throw new Error("the job went to another worker, as this one was silent for too long");
  }

  async function handOver(job: Job): Promise<void> {
    await onLost([{ task: job.task_identifier, payload: job.payload } as LostJob]);
    await completeHeldJob(db, job);
  }

  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (_payload: unknown, { job }: { job: Job }) => {
        running.add(job.id);
        return timed(
          () => runJob(task as Task<unknown>, job),
          (isDone, seconds) => {
            running.delete(job.id);
            onRun?.(name, isDone ? "done" : "failed", seconds);
          },
        );
      },
    ]),
  );
}
