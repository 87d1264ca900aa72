import type { Outage } from "#foundation/errors.js";

/** The worker's tasks by name. A task may run more than once for a job, so it must be idempotent. */
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
 * A job is done when its task resolves. If it rejects, it is retried with growing pauses, up to `maxAttempts`. An
 * outage, as defined by `outageOf`, is not counted as an attempt: the job waits until the outage is over.
 */
export type Task<Payload> = (payload: Payload, context: TaskContext) => Promise<void>;

/** Information about the current run, for a task. */
export interface TaskContext {
  /** Aborts when the worker is stopping and can't wait any longer; another worker may then have the job. */
  readonly signal: AbortSignal;
  /** Whether no other run of the job has started before. */
  readonly isFirstRun: boolean;
  /** Whether the job will not be retried if this run fails. */
  readonly isLastAttempt: boolean;
}

export type TaskName = keyof Tasks;

/** How the queue treats the jobs of a task. */
interface Treatment {
  /**
   * Number of attempts per job. With pauses of e, e², e³, … seconds between them, five attempts span a minute and
   * a half.
   */
  readonly maxAttempts: number;
  /** Order in which waiting jobs run: smaller numbers first. */
  readonly priority: number;
  /** The systems that the task needs besides the database: its jobs wait while one of them is unavailable. */
  readonly needs: readonly Outage[];
}

const FILES = { maxAttempts: 5, priority: 0, needs: ["store", "timestamps"] } as const;
/** Retried for four days, then enqueued again: until the job succeeds, a withdrawn file is still readable. */
const REMOVALS = { maxAttempts: 25, priority: -10, needs: ["store"] } as const;
/**
 * Retried for nearly three days, because a mailbox may be full over a weekend. A mail server must not delay documents.
 */
const EMAILS = { maxAttempts: 20, priority: 10, needs: ["mail"] } as const;

export const treatments: Readonly<Record<TaskName, Treatment>> = {
  generate_credential: FILES,
  move_file: REMOVALS,
  remove_erased: REMOVALS,
  send_mail: EMAILS,
  send_webhook_notice: EMAILS,
  tell_webhook_disabled: { maxAttempts: 12, priority: 10, needs: [] }, // retried for nearly a day
};
