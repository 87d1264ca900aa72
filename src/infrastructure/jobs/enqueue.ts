import { type Knex, query } from "../db/query.js";
import { retryPolicies, type TaskName, type Tasks } from "./tasks.js";

export type NewJob = {
  [Name in TaskName]: { readonly task: Name; readonly payload: Parameters<Tasks[Name]>[0] };
}[TaskName];

/** Adds jobs to the queue with one statement. In a transaction, the jobs exist only once it commits. */
export async function enqueueJobs(db: Knex, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = jobs.map((job) => {
    const { priority, maxAttempts } = retryPolicies[job.task];
    return { ...job, priority, max_attempts: maxAttempts };
  });
  await query(
    db,
    "enqueue_jobs",
    `insert into jobs (task, payload, priority, max_attempts)
     select * from json_to_recordset(?::json) as job (task text, payload json, priority smallint, max_attempts smallint)`,
    [JSON.stringify(rows)],
  );
}

/**
 * Returns SQL for a `with` query that enqueues a job per row of `query`. The column `payload` (json) is the job's
 * payload. In this way, a single statement can change data and enqueue the jobs that follow from the change.
 */
export function enqueueEach(task: TaskName, query: string): string {
  const { priority, maxAttempts } = retryPolicies[task];
  return `insert into jobs (task, payload, priority, max_attempts)
    select '${task}', payload, ${priority}, ${maxAttempts} from (${query}) as enqueued`;
}
