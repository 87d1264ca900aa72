import type { Pool } from "pg";
import type { NewJob } from "./enqueue.js";
import { lockDeadLetters, releaseLockedJobs, removeLockedJobs } from "./queue-store.js";

/** A job without attempts left: its task failed, or its worker was killed. */
export type DeadLetter = NewJob;

/**
 * Handles dead letters; they leave the queue when it resolves. One worker at a time gets a job. Another one
 * gets it again if that worker dies or rejects.
 */
export type OnDeadLetter = (jobs: readonly DeadLetter[]) => Promise<void>;

const BATCH = 1000;

/** Hands over unlocked jobs without attempts left, and removes them from the queue. */
export async function handleDeadLetters(
  db: Pool,
  poolId: string,
  tasks: readonly string[],
  onLost: OnDeadLetter,
): Promise<void> {
  for (;;) {
    const jobs = await lockDeadLetters(db, poolId, tasks, BATCH);
    if (jobs.length === 0) return;
    const ids = jobs.map(({ id }) => id);
    try {
      await onLost(jobs.map(({ lost }) => lost));
      await removeLockedJobs(db, poolId, ids);
    } catch (error) {
      await releaseLockedJobs(db, poolId, ids);
      throw error;
    }
  }
}
