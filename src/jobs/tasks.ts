import type { Outage } from "../errors.js";

/** The worker's tasks by name. A task may run more than once for a job, so it must be idempotent. */
export interface Tasks {
  readonly generate_credential: Task<{ readonly credentialId: number }>;
  readonly move_file: Task<{ readonly credentialUuid: string }>;
  readonly send_mail: Task<{ readonly credentialUuid: string }>;
  readonly send_expiry_notice: Task<{ readonly credentialUuid: string; readonly days: number }>;
  readonly send_withdrawal_notice: Task<{ readonly credentialUuid: string }>;
  readonly send_webhook_notice: Task<{ readonly endpointId: string; readonly noticeId: string }>;
  readonly tell_webhook_disabled: Task<{
    readonly endpointId: string;
    readonly disabledId: string;
    readonly reason: string;
    readonly disabledAt: string;
    readonly noticeId: string;
  }>;
  readonly remove_erased: Task<{ readonly credentialUuid: string; readonly directories: readonly string[] }>;
}

/**
 * A job is done when its task resolves. If it rejects, it is retried with growing pauses, up to
 * `maxAttempts`. An outage, as defined by `outageOf`, costs no attempt: the job waits until it is over.
 */
export type Task<Payload> = (payload: Payload, context: TaskContext) => Promise<void>;

/** What a task knows about its run. */
export interface TaskContext {
  /** Aborts when the worker ends and can't wait any longer: another worker has the job by now. */
  readonly signal: AbortSignal;
  /** Whether no other run of the job has begun before. */
  readonly isFirstRun: boolean;
  /** Whether the job will not be retried if this run fails. */
  readonly isLastAttempt: boolean;
}

export type TaskName = keyof Tasks;

/** What a task needs besides the database: its jobs wait while that is unavailable. undefined: nothing. */
export const needs: Record<TaskName, Outage | undefined> = {
  generate_credential: "store",
  move_file: "store",
  remove_erased: "store",
  send_mail: "mail",
  send_expiry_notice: "mail",
  send_withdrawal_notice: "mail",
  send_webhook_notice: "mail",
  tell_webhook_disabled: undefined,
};

/**
 * Number of attempts per job. With the queue's pauses of e, e², e³, … seconds, five attempts span a minute
 * and a half.
 */
export const maxAttempts: Record<TaskName, number> = {
  generate_credential: 5,
  move_file: 25, // four days, then re-enqueued: until it succeeds, a withdrawn file is still readable
  remove_erased: 25, // re-enqueued like a move
  send_expiry_notice: 20,
  send_withdrawal_notice: 20,
  send_webhook_notice: 20,
  tell_webhook_disabled: 12, // nearly a day
  send_mail: 20, // nearly three days: a mailbox may be full over a weekend
};

/** Order in which waiting jobs run: smaller numbers first. Tasks not listed have 0. */
export const priorities: Partial<Record<TaskName, number>> = {
  move_file: -10,
  remove_erased: -10,
  send_expiry_notice: 10,
  send_withdrawal_notice: 10,
  send_webhook_notice: 10,
  tell_webhook_disabled: 10,
  send_mail: 10, // a mail server that does not answer must not delay documents
};
