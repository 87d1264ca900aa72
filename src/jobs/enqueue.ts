import type { Knex } from "knex";
import { query } from "../db/query.js";
import { maxAttempts, needs, priorities, type TaskName, type Tasks } from "./tasks.js";

/** A new job: a task and its payload. */
export type NewJob = {
  [Name in TaskName]: { readonly task: Name; readonly payload: Parameters<Tasks[Name]>[0] };
}[TaskName];

/** Adds jobs to the queue with one statement. In a transaction, they exist only once it commits. */
export async function enqueueJobs(db: Knex, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const specs = jobs.map(({ task, payload }) => ({
    identifier: task,
    payload,
    max_attempts: maxAttempts[task],
    priority: priorities[task] ?? 0,
    flags: flagsOf(task),
  }));
  await query(
    db,
    "enqueue_jobs",
    `select count(*) from graphile_worker.add_jobs(
       array(select json_populate_recordset(null::graphile_worker.job_spec, ?::json)))`,
    [JSON.stringify(specs)],
  );
}

const flagsOf = (task: TaskName) => [needs[task] ?? []].flat();

/**
 * Returns SQL that enqueues a job per row of a query, whose column `payload` (json) is the job's payload. It
 * is a scalar subquery, for statements that change something and enqueue the consequences.
 */
export function enqueueEach(task: TaskName, query: string): string {
  return `select count(job) from
    (select array(
      select row(
        '${task}', payload, null, null, ${maxAttempts[task]}, null, ${priorities[task] ?? 0}, array[${flagsOf(task).map((flag) => `'${flag}'`)}]::text[]
      )::graphile_worker.job_spec from (${query}) as called_with
    ) as specs) as adding
    cross join lateral graphile_worker.add_jobs(specs) as job
    where cardinality(specs) > 0`;
}
