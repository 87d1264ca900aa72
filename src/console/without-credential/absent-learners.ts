import { type ListedLearner, SkipReason } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import type { Learner } from "../../../gen/learning_credentials/v1/record_pb.js";

/** An enrolled learner without a credential. */
export interface AbsentLearner {
  readonly username: string;
  readonly fullName: string;
  /** Why there is none; undefined if the next run issues it. */
  readonly reason: SkipReason | undefined;
}

/** Returns those of the learners who have no credential, as a list of them is judged. */
export function absentOf(
  learners: readonly Learner[],
  judgements: readonly ListedLearner[],
): AbsentLearner[] {
  const judged = new Map(judgements.map((judgement) => [judgement.username, judgement]));
  return learners.flatMap(({ username, fullName }) => {
    const judgement = judged.get(username);
    if (!judgement || judgement.reason === SkipReason.HAS_CREDENTIAL) return [];
    return { username, fullName, reason: judgement.isReady ? undefined : judgement.reason };
  });
}
