import { isBlank } from "#foundation/text/plain-line.js";
import type { PrintedLearner } from "./credential-design.js";
import { unprintableNames } from "./unprintable-names.js";

/** Why an eligible learner can't be issued a credential: they have no name, or one of their texts can't be printed. */
export const NAME_REASONS = ["no_full_name", "unprintable_name"] as const;

/** An eligible learner who has no credential, but can't be issued one. */
export interface SkippedLearner {
  readonly username: string;
  readonly fullName: string;
  readonly reason: (typeof NAME_REASONS)[number];
  /** A sentence. */
  readonly detail: string;
}

/**
 * Returns the learners to whom no credential can be issued, because they have no name, or one of their texts can't be
 * printed. The keys are usernames.
 * @param check throws a `Problem` if one of the texts can't be printed
 */
export function learnersToSkip(
  learners: readonly (PrintedLearner & { readonly username: string })[],
  check: (learners: readonly PrintedLearner[]) => void,
): ReadonlyMap<string, SkippedLearner> {
  const nameless = learners.filter(({ userFullName }) => isBlank(userFullName));
  const named =
    nameless.length === 0 ? learners : learners.filter(({ userFullName }) => !isBlank(userFullName));
  const skipped: SkippedLearner[] = [
    ...nameless.map(({ username }) => ({
      username,
      fullName: "",
      reason: "no_full_name" as const,
      detail: "The learner has no full name: send a record that contains it.",
    })),
    ...unprintableNames(named, check).map(({ named: { username, userFullName }, problem }) => ({
      username,
      fullName: userFullName,
      reason: "unprintable_name" as const,
      detail: problem.message,
    })),
  ];
  return new Map(skipped.map((learner) => [learner.username, learner]));
}
