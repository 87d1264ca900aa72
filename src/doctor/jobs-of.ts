import type { TaskName } from "../jobs/tasks.js";

/**
 * SQL: the jobs of a task, including those in progress, as `job`. Further conditions can be appended with
 * `and …`.
 */
export function jobsOf(task: TaskName): string {
  return `graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = '${task}'`;
}
