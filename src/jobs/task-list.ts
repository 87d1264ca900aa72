import { setTimeout } from "node:timers/promises";
import type { Job, TaskList } from "graphile-worker";
import type { Pool } from "pg";
import { completeHeldJob } from "./held-jobs.js";
import type { Task, Tasks } from "./tasks.js";

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** The tasks as graphile-worker calls them. */
export function createTaskList(parts: {
  tasks: Tasks;
  db: Pool;
  /** Gets the ids of the jobs that are being run. */
  running: Set<string>;
  signal: AbortSignal;
}): TaskList {
  const { tasks, db, running, signal } = parts;

  async function runJob(task: Task<unknown>, job: Job): Promise<void> {
    running.add(job.id);
    try {
      await task(job.payload, { signal, isLastAttempt: job.attempts >= job.max_attempts });
      const wasHeld = await patiently(() => completeHeldJob(db, job), signal);
      if (!wasHeld)
        throw new Error("another worker was given the job, because this one was silent for too long");
    } catch (error) {
      // graphile-worker writes down the failure next: an outage then costs a job one attempt, not all of them.
      await patiently(() => db.query("select 1"), signal).catch(() => {});
      throw error;
    } finally {
      running.delete(job.id);
    }
  }

  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (_payload: unknown, { job }: { job: Job }) => runJob(task as Task<unknown>, job),
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
