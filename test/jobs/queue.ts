import { setTimeout } from "node:timers/promises";
import pino from "pino";
import { onTestFinished, vi } from "vitest";
import type { DeadLetter } from "../../src/jobs/dead-letters.js";
import { enqueueJobs, type NewJob } from "../../src/jobs/enqueue.js";
import type { TaskContext } from "../../src/jobs/tasks.js";
import { startWorker, type Worker, type WorkerOptions } from "../../src/jobs/worker.js";
import type { TestDatabase } from "../support/database.js";

type Row = Record<string, unknown>;

/** The work of a job in a test, identified by the number in its payload. */
export type Run = (credentialId: number, context: TaskContext) => Promise<void>;

/** A worker in this process; its log lines and dead letters are collected. */
export interface StartedWorker {
  readonly worker: Worker;
  readonly lost: readonly DeadLetter[];
  readonly lines: readonly Row[];
}

/** A queue on a test's database, and the table behind it. */
export interface Queue {
  start(run: Run, options?: Partial<WorkerOptions>): StartedWorker;
  enqueue(...credentialIds: number[]): Promise<void>;
  query(sql: string): Promise<Row[]>;
  jobs(): Promise<Row[]>;
  pools(): Promise<Row[]>;
  /** Seconds since a worker locked the first job. */
  secondsLocked(): Promise<number>;
  /** Makes jobs that wait for a retry due at once. */
  hurry(): Promise<void>;
}

export function openQueue({ url, database: { knex } }: TestDatabase): Queue {
  const query = async (sql: string): Promise<Row[]> => (await knex.raw(sql)).rows;
  return {
    start(run, options = {}) {
      const lost: DeadLetter[] = [];
      const lines: Row[] = [];
      const worker = startWorker({
        databaseUrl: url,
        tasks: {
          generate_credential: ({ credentialId }, context) => run(credentialId, context),
          move_file: async () => {},
          send_mail: async () => {},
          send_webhook_notice: async () => {},
          tell_webhook_disabled: async () => {},
          send_expiry_notice: async () => {},
          send_withdrawal_notice: async () => {},
          remove_erased: async () => {},
        },
        onLost: async (jobs) => void lost.push(...jobs),
        concurrency: 4,
        log: pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) }),
        timings: { heartbeat: 100, silence: 10_000, rescue: 200, firstPause: 50, longestPause: 200 },
        ...options,
      });
      onTestFinished(() => worker.stop(0));
      return { worker, lost, lines };
    },
    enqueue: (...ids) => enqueueJobs(knex, ids.map(job)),
    query,
    jobs: () =>
      query("select attempts, locked_by, last_error from graphile_worker._private_jobs order by id"),
    pools: () => query("select pool_id from worker_pools"),
    async secondsLocked() {
      const [job] = await query(
        "select extract(epoch from now() - locked_at)::float8 as seconds from graphile_worker._private_jobs order by id",
      );
      return Number(job?.seconds);
    },
    async hurry() {
      await query("update graphile_worker._private_jobs set run_at = now() where run_at > now()");
      await query(`select pg_notify('jobs:insert', '{"count": 1}')`);
    },
  };
}

export const job = (credentialId: number): NewJob => ({
  task: "generate_credential",
  payload: { credentialId },
});

/** Waits until the expectation holds. */
export const until = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 });

export const pause = (ms: number): Promise<void> => setTimeout(ms);

/** A latch: tests wait for it until it is opened. */
export function latch(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The numbers in the payloads. */
export const idsOf = (jobs: readonly DeadLetter[]): number[] =>
  jobs.flatMap((job) => (job.task === "generate_credential" ? [job.payload.credentialId] : []));
