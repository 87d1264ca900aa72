/** A clock may be a little off, and a job be given back for half a minute. */
const SLACK = "10 minutes";

/**
 * SQL: whether a job (a row of `graphile_worker._private_jobs`) waits for a time that nothing explains, as when it was queued
 * before the clock was set back. The queue itself pauses for `e^attempts` seconds after a failure, at most for `e^10`.
 */
export const isDelayed = `(
  locked_at is null and attempts < max_attempts
  and run_at > now() + exp(least(attempts, 10)) * interval '1 second' + interval '${SLACK}'
)`;

/** SQL: has all of them run now, and wakes the workers. */
export const bringForward = `
  with due as (
    update graphile_worker._private_jobs set run_at = now(), updated_at = now() where ${isDelayed} returning id
  )
  select pg_notify('jobs:insert', json_build_object('count', count(*))::text) from due`;
