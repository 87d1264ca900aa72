import type { TaskName } from "../jobs/tasks.js";

/** SQL: the jobs of a task, those under way included, as `job`; to be gone on with `and …`. */
export function jobsOf(task: TaskName): string {
  return `graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = '${task}'`;
}
