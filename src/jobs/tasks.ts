import type { Outage } from "../errors.js";

/** What the worker runs, by the name of its task. A task may run more than once for one job: what it does must bear that. */
export interface Tasks {
  readonly generate_credential: Task<{ readonly credentialId: number }>;
  readonly move_file: Task<{ readonly credentialUuid: string }>;
  readonly send_mail: Task<{ readonly credentialUuid: string }>;
  readonly remove_erased: Task<{ readonly credentialUuid: string; readonly directories: readonly string[] }>;
}

/**
 * A job is done when its task resolves. When it rejects, it is tried again, later and later, as often as `maxAttempts` says.
 * What `outageOf` knows for an outage costs no attempt: the job waits until that has ended.
 */
export type Task<Payload> = (payload: Payload, context: TaskContext) => Promise<void>;

/** What a task is told about the run. */
export interface TaskContext {
  /** Aborts when the worker ends and can't wait any longer: another one has been given the job. */
  readonly signal: AbortSignal;
  /** Whether the job will not be tried again if this run fails. */
  readonly isLastAttempt: boolean;
}

export type TaskName = keyof Tasks;

/** What a task needs beside the database: while that is out of reach, its jobs wait. */
export const needs: Record<TaskName, Outage> = {
  generate_credential: "store",
  move_file: "store",
  remove_erased: "store",
  send_mail: "mail",
};

/** How many times a job is tried: with the queue's pauses of e, e², e³, … seconds, five span a minute and a half. */
export const maxAttempts: Record<TaskName, number> = {
  generate_credential: 5,
  move_file: 25, // four days, and whoever gives up enqueues it anew: until it is done, what was withdrawn can be read
  remove_erased: 25, // and anew, like a move
  send_mail: 20, // nearly three days: a mailbox may be full over a weekend
};

/** In which order jobs are run that wait: smaller numbers come first; what is not named here has 0. */
export const priorities: Partial<Record<TaskName, number>> = {
  move_file: -10,
  remove_erased: -10,
  send_mail: 10, // a mail server that does not answer must not hold up documents
};
