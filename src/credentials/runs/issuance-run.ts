/** Where a run stands. */
export type IssuanceRunState = "running" | "complete" | "cancelled";

/** Why an eligible learner gets no credential from a run. */
export type SkipReason = "has_credential" | "withdrawn" | "no_full_name" | "unprintable_name";

/** How many eligible learners were passed over, by reason. */
export type SkippedCounts = Readonly<Record<SkipReason, number>>;

/** A run as far as it is; once it has ended, as it was then. */
export interface IssuanceRun {
  /** UUID, lower case. */
  readonly id: string;
  /** The order of starting. */
  readonly number: number;
  readonly configurationId: number;
  readonly state: IssuanceRunState;
  /** Username of the staff user or service, `schedule` or `command line`. */
  readonly startedBy: string;
  readonly startedAt: Date;
  /** null while it is running. */
  readonly endedAt: Date | null;
  /** How many credentials it has begun: the sum of the next three. */
  readonly issuedCount: number;
  readonly generatingCount: number;
  readonly availableCount: number;
  readonly failedCount: number;
  readonly skipped: SkippedCounts;
}

/** A credential of a run that could not be made. */
export interface RunFailure {
  readonly uuid: string;
  /** Empty when the credential is there no more. */
  readonly username: string;
  readonly reason: string;
}

/** A run with the first of what has failed. */
export interface RunReport {
  readonly run: IssuanceRun;
  readonly failures: readonly RunFailure[];
}

/** An eligible learner who gets no credential, other than for having one. */
export interface SkippedLearner {
  readonly username: string;
  readonly reason: Exclude<SkipReason, "has_credential" | "withdrawn">;
  /** What is wrong, in a sentence. */
  readonly detail: string;
}

/** What a run would issue if it were started now. */
export interface IssuancePlan {
  /** See `planHash`. */
  readonly hash: string;
  readonly issueCount: number;
  /** The first of those who would be issued a credential, in the order of their bytes. */
  readonly usernames: readonly string[];
  /** How many of those have one that has failed. */
  readonly retryCount: number;
  readonly skipped: SkippedCounts;
  /** The first of those passed over. */
  readonly skippedLearners: readonly SkippedLearner[];
  /** What is required and recorded of nobody, in sentences. */
  readonly warnings: readonly string[];
}
