import { Logger as QueueLogger, type WorkerEvents } from "graphile-worker";
import type { Logger } from "pino";
import { PostponeError } from "./postpone-error.js";

/**
 * A logger for graphile-worker's own lines. They repeat its events, in an outage once per attempt, so all are
 * at debug level. Their metadata is dropped, as it may contain a job's payload.
 */
export function createQueueLogger(log: Logger): QueueLogger {
  return new QueueLogger((scope) => (level, message) => log.debug({ queue: { level, ...scope } }, message));
}

/** Logs the events that an operator should know about. */
export function logEvents(events: WorkerEvents, log: Logger): void {
  events.on("job:error", ({ job, error }) => {
    const { id: jobId, task_identifier: task, attempts: attempt, max_attempts: maxAttempts } = job;
    if (error instanceof PostponeError) {
      const { waitsFor, cause } = error;
      if (cause !== undefined)
        log.warn({ jobId, task, waitsFor, err: cause }, "job requeued after an outage");
      return;
    }
    const line = { jobId, task, attempt, maxAttempts, err: error };
    if (attempt < maxAttempts) log.warn(line, "job failed; it will be retried");
    else log.error(line, "job failed for the last time");
  });
  events.on("pool:fatalError", ({ action, error }) => log.error({ action, err: error }, "the queue failed"));
  events.on("worker:fatalError", ({ error }) => log.error({ err: error }, "the queue failed"));
}
