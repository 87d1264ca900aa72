/** State of a run. */
export type IssuanceRunState = "running" | "complete" | "cancelled";

/** Why a learner gets no credential from a run. */
export type SkipReason =
  | "has_credential"
  | "not_earned_anew"
  | "withdrawn"
  | "not_claimed"
  | "no_full_name"
  | "unprintable_name"
  // These occur only in lists.
  | "unknown_learner"
  | "not_eligible"
  | "invalid"
  | "repeated";

/** Number of skipped learners by reason, without duplicates. */
export type SkippedCounts = Readonly<Record<Exclude<SkipReason, "repeated">, number>>;

export const noneSkipped: SkippedCounts = {
  has_credential: 0,
  not_earned_anew: 0,
  withdrawn: 0,
  not_claimed: 0,
  no_full_name: 0,
  unprintable_name: 0,
  unknown_learner: 0,
  not_eligible: 0,
  invalid: 0,
};

/** A run with its current counts or, once it has ended, its final ones. */
export interface IssuanceRun {
  /** UUID, lower case. */
  readonly id: string;
  /** Increases in the order of starting. */
  readonly number: number;
  readonly configurationId: number;
  readonly state: IssuanceRunState;
  /** Username of the staff user or service, `schedule` or `command line`. */
  readonly startedBy: string;
  readonly startedAt: Date;
  /** null while it is running. */
  readonly endedAt: Date | null;
  /** Number of issued credentials: the sum of the next three. */
  readonly issuedCount: number;
  readonly generatingCount: number;
  readonly availableCount: number;
  readonly failedCount: number;
  readonly skipped: SkippedCounts;
  /** Number of listed learners without duplicates; 0 if the run was for all eligible learners. */
  readonly listedCount: number;
  readonly skipsEligibility: boolean;
  readonly skipsEmail: boolean;
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

/** An eligible learner without a credential who can't be issued one. */
export interface SkippedLearner {
  readonly username: string;
  /** As printed on credentials; may be blank. */
  readonly fullName: string;
  readonly reason: Extract<SkipReason, "no_full_name" | "unprintable_name">;
  /** A sentence with the problem. */
  readonly detail: string;
}

/** A learner without a credential, in the order of the plan. */
export interface PlannedLearner {
  readonly username: string;
  readonly userFullName: string;
  /** Why the learner would not be issued a credential; undefined if one would be issued. */
  readonly detail: string | undefined;
}

/** A learner of a list, and the outcome. */
export interface ListedLearner {
  readonly username: string;
  /** null if a credential would be issued. */
  readonly reason: SkipReason | null;
  /** The reason for a skip, or a warning. May be empty. */
  readonly detail: string;
  /** Whether a record would be created. */
  readonly isNew: boolean;
}

/** The credentials that a run would issue if it were started now. */
export interface IssuancePlan {
  /** See `planHash`. */
  readonly hash: string;
  readonly issueCount: number;
  /** The first learners who would be issued a credential, ordered by the bytes of their usernames. */
  readonly learners: readonly SampleLearner[];
  /** Number of enrolled learners, eligible or not; 0 for a list. */
  readonly enrolledCount: number;
  /** Number of learners to issue to whose earlier credential has failed. */
  readonly retryCount: number;
  readonly skipped: SkippedCounts;
  /** The first of the skipped learners. */
  readonly skippedLearners: readonly SkippedLearner[];
  /** Warnings about requirements for which no learner has a record, as sentences. */
  readonly warnings: readonly string[];
  /** In the order of the list; empty without a list. */
  readonly listedLearners: readonly ListedLearner[];
  /** Up to three of the learners who would be issued a credential. */
  readonly samples: readonly SampleLearner[];
}

/** A learner who would be issued a credential, and the name that would be printed. */
export interface SampleLearner {
  readonly username: string;
  readonly userFullName: string;
}
