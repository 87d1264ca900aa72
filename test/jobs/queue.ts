import { setTimeout } from "node:timers/promises";
import pino from "pino";
import { onTestFinished, vi } from "vitest";
import { enqueueJobs, type NewJob } from "#infrastructure/jobs/enqueue.js";
import type { TaskContext } from "#infrastructure/jobs/tasks.js";
import { startWorker, type Worker, type WorkerOptions } from "#infrastructure/jobs/worker.js";
import type { TestDatabase } from "../support/database.js";

type Row = Record<string, unknown>;

/** The work of a job in a test, identified by the number in its payload. */
export type Run = (credentialId: number, context: TaskContext) => Promise<void>;

/** A worker in this process. Its log lines and dead jobs are collected. */
export interface StartedWorker {
  readonly worker: Worker;
  readonly dead: readonly NewJob[];
  readonly lines: readonly Row[];
}

/** A queue in a test's database, with access to its table. */
export interface Queue {
  start(run: Run, options?: Partial<WorkerOptions>): StartedWorker;
  enqueue(...credentialIds: number[]): Promise<void>;
  query(sql: string): Promise<Row[]>;
  jobs(): Promise<Row[]>;
  /** Makes all jobs due that wait for a retry. */
  hurry(): Promise<void>;
}

export function openQueue({ url, database: { knex } }: TestDatabase): Queue {
  const query = async (sql: string): Promise<Row[]> => (await knex.raw(sql)).rows;
  return {
    start(run, options = {}) {
      const dead: NewJob[] = [];
      const lines: Row[] = [];
      const worker = startWorker({
        databaseUrl: url,
        tasks: {
          generate_credential: ({ credentialId }, context) => run(credentialId, context),
          move_file: async () => {},
          send_mail: async () => {},
          send_webhook_notice: async () => {},
          tell_webhook_disabled: async () => {},
          remove_erased: async () => {},
        },
        onDead: async (jobs) => void dead.push(...jobs),
        concurrency: 4,
        log: pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) }),
        // A busy machine may renew leases late. Only the tests of lost jobs expect a lease to end.
        timings: { poll: 200, firstPause: 50, longestPause: 200, lease: 55_000 },
        ...options,
      });
      onTestFinished(() => worker.stop(0));
      return { worker, dead, lines };
    },
    enqueue: (...ids) => enqueueJobs(knex, ids.map(job)),
    query,
    jobs: () =>
      query(
        'select attempts, leased_until is not null as "isLeased", last_error as "lastError" from jobs order by id',
      ),
    async hurry() {
      await query("update jobs set run_at = now() where run_at > now()");
      await query("select pg_notify('jobs', '')");
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

/** Returns the numbers in the payloads. */
export const idsOf = (jobs: readonly NewJob[]): number[] =>
  jobs.flatMap((job) => (job.task === "generate_credential" ? [job.payload.credentialId] : []));
