import type { Warning } from "../../eligibility/warning.js";
import type { SkippedLearner } from "../issuance/learners-to-skip.js";
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

/** Number of skipped learners by reason. Rows that repeat a learner are not counted. */
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

/** A run with its current counts or, if it has ended, its final counts. */
export interface IssuanceRun {
  /** UUID in lower case. */
  readonly id: string;
  /** Numbers ascend in the order in which runs were started. */
  readonly number: number;
  readonly configurationId: number;
  readonly state: IssuanceRunState;
  /** Username of the staff user or service, `schedule` or `command line`. */
  readonly startedBy: string;
  readonly startedAt: Date;
  /** Null while the run is running. */
  readonly endedAt: Date | null;
  /** The sum of the next three counts. */
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

export interface RunFailure {
  readonly uuid: string;
  /** Empty if the credential no longer exists. */
  readonly username: string;
  readonly reason: string;
}

export interface RunReport {
  readonly run: IssuanceRun;
  readonly failures: readonly RunFailure[];
}

export interface PlannedLearner {
  readonly username: string;
  readonly userFullName: string;
  /** Why no credential would be issued; undefined if one would be issued. */
  readonly detail: string | undefined;
}

export interface ListedLearner {
  readonly username: string;
  /** Null if a credential would be issued. */
  readonly reason: SkipReason | null;
  /** The reason for skipping the learner, or a warning; may be empty. */
  readonly detail: string;
  /** Whether a record would be created for the learner. */
  readonly isNew: boolean;
}

/** The credentials that a run would issue if it started now. */
export interface IssuancePlan {
  readonly hash: string;
  readonly issueCount: number;
  /** The first learners to issue to, ordered by the bytes of their usernames. */
  readonly learners: readonly SampleLearner[];
  /** Number of enrolled learners, eligible or not; 0 for a list. */
  readonly enrolledCount: number;
  /** Number of learners in the plan whose earlier credential failed. */
  readonly retryCount: number;
  readonly skipped: SkippedCounts;
  readonly skippedLearners: readonly SkippedLearner[];
  readonly warnings: readonly Warning[];
  /** Learners in the order of the list; empty without a list. */
  readonly listedLearners: readonly ListedLearner[];
  /** Up to three of the learners to issue to. */
  readonly samples: readonly SampleLearner[];
}

export interface SampleLearner {
  readonly username: string;
  readonly userFullName: string;
}
