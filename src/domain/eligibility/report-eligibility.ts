import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";
import type { Functions } from "../configurations/functions.js";
import type { LearningContextKey } from "../learners/learning-context-key.js";
import { noSuchLearner } from "../learners/no-such-learner.js";
import { type EligibilityResult, evaluateEligibility } from "./evaluate-eligibility.js";
import type { ConfiguredCredential, LearnerProgress, LookUpProgress } from "./learner-progress.js";
import type { Processor } from "./processor.js";

/** A learner's progress towards one configured credential. */
export interface EligibilityEntry {
  readonly credential: ConfiguredCredential;
  readonly progress: EligibilityResult;
}

export interface EligibilityQuestion {
  readonly username: string;
  readonly key: LearningContextKey;
  /** Dotted path of a retrieval function; empty for all functions. */
  readonly retrievalFunc: string;
  /**
   * Who requests the eligibility. Staff may name any context and any existing learner. Staff who ask about themselves
   * need no record.
   */
  readonly requestedBy: "self" | "staff-about-self" | "staff-about-other";
}

/**
 * Reports a learner's progress towards every credential configured in a context.
 * @throws Problem `not-found` if the context is not accessible to the learner; for staff, `not-found` if the learner is
 * unknown
 */
export async function reportEligibility(
  lookUpProgress: LookUpProgress,
  functions: Functions<Processor>,
  question: EligibilityQuestion,
  cancellation: Cancellation,
): Promise<EligibilityEntry[]> {
  const { username, key, retrievalFunc, requestedBy } = question;
  const progressQuestion = { username, learningContextKey: key.text, retrievalFunc };
  const progress = await lookUpProgress(progressQuestion, cancellation);
  if (requestedBy === "self" && !progress.hasAccess) throw noSuchContext(key);
  if (requestedBy === "staff-about-other" && !progress.hasLearnerRecord) throw noSuchLearner(username);
  return entriesOf(progress, functions, key);
}

export function entriesOf(
  progress: LearnerProgress,
  functions: Functions<Processor>,
  key: LearningContextKey,
): EligibilityEntry[] {
  return progress.configurations.map((credential) => ({
    credential,
    progress: evaluateEligibility(
      credential,
      functions.retrieval(credential.retrievalFunc),
      progress,
      key.kind === "path",
    ),
  }));
}

/** The error is the same whether the context does not exist or the learner has no access to it. */
export function noSuchContext({ kind }: LearningContextKey): Problem {
  const what = kind === "path" ? "Learning path" : "Course";
  return new Problem("not-found", `${what} not found or user does not have access.`, {
    reason: "LEARNING_CONTEXT_NOT_FOUND",
  });
}
