import type { Functions } from "../configurations/functions.js";
import type { Database } from "../db/database.js";
import { onLease } from "../db/run.js";
import { Problem } from "../errors.js";
import type { LearningContextKey } from "../learners/learning-context-key.js";
import type { Processor } from "./processor.js";
import { type Progress, progressTowards } from "./progress.js";
import { type ConfiguredCredential, readStanding } from "./standing.js";

/** One learner's progress towards one configured credential. */
export interface EligibilityEntry {
  readonly credential: ConfiguredCredential;
  readonly progress: Progress;
}

/** Whose eligibility is asked for, and by whom. */
export interface EligibilityQuestion {
  readonly username: string;
  readonly key: LearningContextKey;
  /** Dotted path; empty: all. */
  readonly retrievalFunc: string;
  /** Staff may ask about every context and learner; but a learner they name must exist. */
  readonly askedBy: "self" | "staff-about-self" | "staff-about-other";
}

/**
 * Reports a learner's progress towards every credential configured in a context.
 * @throws Problem `not-found` when a learner asks about a context he can't access, or staff about an unknown learner
 */
export async function reportEligibility(
  database: Database,
  functions: Functions<Processor>,
  question: EligibilityQuestion,
  signal: AbortSignal,
): Promise<EligibilityEntry[]> {
  const { username, key, retrievalFunc, askedBy } = question;
  const standing = await onLease(database, signal, (lease) =>
    readStanding(lease, { username, learningContextKey: key.text, retrievalFunc }),
  );
  if (askedBy === "self" && !standing.hasAccess) throw noSuchContext();
  if (askedBy === "staff-about-other" && !standing.hasLearnerRecord) {
    throw new Problem("not-found", `There is no learner named ${JSON.stringify(username)}.`);
  }
  return standing.configurations.map((credential) => ({
    credential,
    progress: progressTowards(
      credential,
      functions.retrieval(credential.retrievalFunc),
      standing,
      key.kind === "path",
    ),
  }));
}

/** The same answer whether the context does not exist or is closed to the learner. */
export function noSuchContext(): Problem {
  return new Problem("not-found", "The learning context was not found, or you have no access to it.");
}
