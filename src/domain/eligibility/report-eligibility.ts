import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";
import type { Functions } from "../configurations/functions.js";
import type { LearningContextKey } from "../learners/learning-context-key.js";
import { noSuchLearner } from "../learners/no-such-learner.js";
import { type EligibilityResult, evaluateEligibility } from "./evaluate-eligibility.js";
import type { ConfiguredCredential, LearnerProgress, LookUpProgress } from "./learner-progress.js";
import type { Processor } from "./processor.js";

/** One learner's progress towards one configured credential. */
export interface EligibilityEntry {
  readonly credential: ConfiguredCredential;
  readonly progress: EligibilityResult;
}

/** The learner whose eligibility is requested, and who requests it. */
export interface EligibilityQuestion {
  readonly username: string;
  readonly key: LearningContextKey;
  /** Dotted path; if empty, all functions. */
  readonly retrievalFunc: string;
  /** Staff may request any context and learner. A learner other than themselves must exist. */
  readonly requestedBy: "self" | "staff-about-self" | "staff-about-other";
}

/**
 * Reports a learner's progress towards every credential configured in a context.
 * @throws Problem `not-found` if a learner asks about an inaccessible context, or staff about an unknown
 * learner
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

/** Returns an entry for every credential configured in the context. */
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

/** Returns the same error whether the context does not exist or the learner has no access to it. */
export function noSuchContext({ kind }: LearningContextKey): Problem {
  const what = kind === "path" ? "Learning path" : "Course";
  return new Problem("not-found", `${what} not found or user does not have access.`, {
    reason: "LEARNING_CONTEXT_NOT_FOUND",
  });
}
