/** State of a run. */
export type IssuanceRunState = "running" | "complete" | "cancelled";

/** Why an eligible learner gets no credential from a run. */
export type SkipReason = "has_credential" | "withdrawn" | "no_full_name" | "unprintable_name";

/** Number of eligible learners who were skipped, by reason. */
export type SkippedCounts = Readonly<Record<SkipReason, number>>;

/** A run with its present counts; once it has ended, with its counts at that time. */
export interface IssuanceRun {
  /** UUID, lower case. */
  readonly id: string;
  /** Follows the order of starting. */
  readonly number: number;
  readonly configurationId: number;
  readonly state: IssuanceRunState;
  /** Username of the staff user or service, `schedule` or `command line`. */
  readonly startedBy: string;
  readonly startedAt: Date;
  /** null while it is running. */
  readonly endedAt: Date | null;
  /** Number of credentials that it has issued: the sum of the next three. */
  readonly issuedCount: number;
  readonly generatingCount: number;
  readonly availableCount: number;
  readonly failedCount: number;
  readonly skipped: SkippedCounts;
}

/** A credential of a run whose file could not be generated. */
export interface RunFailure {
  readonly uuid: string;
  /** Empty if the credential no longer exists. */
  readonly username: string;
  readonly reason: string;
}

/** A run with its first failures. */
export interface RunReport {
  readonly run: IssuanceRun;
  readonly failures: readonly RunFailure[];
}

/** An eligible learner who gets no credential, for another reason than having one. */
export interface SkippedLearner {
  readonly username: string;
  readonly reason: Exclude<SkipReason, "has_credential" | "withdrawn">;
  /** A sentence that says what is wrong. */
  readonly detail: string;
}

/** What a run would issue if it were started now. */
export interface IssuancePlan {
  /** See `planHash`. */
  readonly hash: string;
  readonly issueCount: number;
  /** The first learners who would be issued a credential, ordered by the bytes of their usernames. */
  readonly usernames: readonly string[];
  /** How many of them have a credential that has failed. */
  readonly retryCount: number;
  readonly skipped: SkippedCounts;
  /** The first of the skipped learners. */
  readonly skippedLearners: readonly SkippedLearner[];
  /** Sentences about requirements for which nobody has a record. */
  readonly warnings: readonly string[];
}
