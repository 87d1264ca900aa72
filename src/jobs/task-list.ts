import { setTimeout } from "node:timers/promises";
import type { Job, TaskList } from "graphile-worker";
import type { Pool } from "pg";
import { completeHeldJob, isHeld } from "./held-jobs.js";
import type { LostJob, OnLost } from "./lost-jobs.js";
import type { Task, Tasks } from "./tasks.js";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** The tasks as graphile-worker calls them. */
export function createTaskList(parts: {
  tasks: Tasks;
  onLost: OnLost;
  db: Pool;
  /** Gets the ids of the jobs that are being run. */
  running: Set<string>;
  signal: AbortSignal;
}): TaskList {
  const { tasks, onLost, db, running, signal } = parts;

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
      async (_payload: unknown, { job }: { job: Job }) => {
        running.add(job.id);
        await runJob(task as Task<unknown>, job).finally(() => running.delete(job.id));
      },
    ]),
  );
}

/** Tries until it succeeds: only an outage makes these statements fail. Throws when the signal aborts. */
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      await setTimeout(pauseMs, undefined, { signal });
    }
  }
}
