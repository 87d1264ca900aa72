import type { Outage } from "#foundation/errors.js";

/** The worker's tasks. A task may run more than once for a job, so it must be idempotent. */
export interface Tasks {
  readonly generate_credential: Task<{ readonly credentialId: number }>;
  readonly move_file: Task<{ readonly credentialUuid: string }>;
  readonly send_mail: Task<{ readonly credentialUuid: string; readonly mailId: number }>;
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
 * A job is done when its task resolves. If the task rejects, the job is retried with growing pauses, up to
 * `maxAttempts`. A failure due to an outage, as defined by `outageOf`, is not an attempt: the job waits until the
 * outage is over.
 */
export type Task<Payload> = (payload: Payload, context: TaskContext) => Promise<void>;

export interface TaskContext {
  /** Aborts when the worker is stopping and can't wait any longer. Another worker may then have the job. */
  readonly signal: AbortSignal;
  /** Whether no other run of the job has started before. */
  readonly isFirstRun: boolean;
  /** Whether the job will not be retried if this run fails. */
  readonly isLastAttempt: boolean;
}

export type TaskName = keyof Tasks;

interface RetryPolicy {
  /**
   * The pauses between attempts are e, e², e³, … seconds, at most e¹⁰ (six hours). Five attempts span a minute and a
   * half.
   */
  readonly maxAttempts: number;
  /** Jobs with smaller numbers run first. */
  readonly priority: number;
  /** Systems that the task needs besides the database. Its jobs wait while one of them is unavailable. */
  readonly needs: readonly Outage[];
}

const FILES = { maxAttempts: 5, priority: 0, needs: ["store", "timestamps"] } as const;
/** Retried for four days, then enqueued again, because until the job succeeds, a withdrawn file is still readable. */
const REMOVALS = { maxAttempts: 25, priority: -10, needs: ["store"] } as const;
/** Retried for nearly three days, because a mailbox may be full over a weekend. Documents have priority. */
const EMAILS = { maxAttempts: 20, priority: 10, needs: ["mail"] } as const;

export const retryPolicies: Readonly<Record<TaskName, RetryPolicy>> = {
  generate_credential: FILES,
  move_file: REMOVALS,
  remove_erased: REMOVALS,
  send_mail: EMAILS,
  send_webhook_notice: EMAILS,
  tell_webhook_disabled: { maxAttempts: 12, priority: 10, needs: [] }, // 12 attempts span nearly 16 hours
};
