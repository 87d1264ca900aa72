import type { Logger } from "pino";
import type { Knex } from "../db/query.js";
import { type Job, renewLeases, returnJobs, takeJobs } from "./queue-store.js";
import type { TaskName } from "./tasks.js";

interface Lease {
  readonly job: Job;
  leasedAt: number;
  readonly ended: Promise<void>;
}

/** The jobs that a worker has leased. */
export function createLeases(
  db: Knex,
  { lease: leaseMs, renewal: renewalMs }: { readonly lease: number; readonly renewal: number },
  log: Logger,
) {
  const running = new Map<number, Lease>();
  /** Time of the database's last failure. */
  let failedAt = Number.NEGATIVE_INFINITY;

  async function noticingFailures<T>(statement: () => Promise<T>): Promise<T> {
    try {
      return await statement();
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  }

  return {
    count: () => running.size,
    jobs: () => [...running.values()].map(({ job }) => job),
    allEnded: () => Promise.all([...running.values()].map(({ ended }) => ended)),

    async take(tasks: TaskName[], limit: number) {
      const leasedAt = performance.now();
      // After an outage, other workers may still renew leases that have expired meanwhile.
      const takesOver = leasedAt - failedAt > 2 * renewalMs;
      const jobs = await noticingFailures(() =>
        takeJobs(db, { tasks, limit, leaseMs, running: [...running.keys()], takesOver }),
      );
      return { jobs, leasedAt };
    },

    hold(job: Job, leasedAt: number, ended: Promise<void>): void {
      running.set(job.id, { job, leasedAt, ended });
    },

    drop({ id }: Job): void {
      running.delete(id);
    },

    async renew(): Promise<void> {
      const leasedAt = performance.now();
      const due = [...running.values()].filter((each) => leasedAt - each.leasedAt >= renewalMs);
      if (due.length === 0) return;
      const jobs = due.map(({ job }) => job);
      await noticingFailures(() => renewLeases(db, jobs, leaseMs));
      for (const each of due) each.leasedAt = leasedAt;
    },

    async giveBack(jobs: readonly Job[], error: string): Promise<void> {
      const returned = jobs.map((job) => ({ job, isCounted: false, pauseMs: 0, error }));
      await returnJobs(db, returned).catch((err) => log.error({ err }, "jobs could not be requeued"));
    },
  };
}
