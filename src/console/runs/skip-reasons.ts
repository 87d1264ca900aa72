import { SkipReason } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import type { IssuingWording } from "../languages/en/issuing.js";

const names: Partial<Record<SkipReason, keyof IssuingWording["reasons"]>> = {
  [SkipReason.HAS_CREDENTIAL]: "hasCredential",
  [SkipReason.NO_FULL_NAME]: "noFullName",
  [SkipReason.UNPRINTABLE_NAME]: "unprintableName",
  [SkipReason.WITHDRAWN]: "withdrawn",
  [SkipReason.UNKNOWN_LEARNER]: "unknownLearner",
  [SkipReason.NOT_ELIGIBLE]: "notEligible",
  [SkipReason.INVALID]: "invalid",
  [SkipReason.NOT_EARNED_ANEW]: "notEarnedAnew",
  [SkipReason.REPEATED]: "repeated",
};

/** Says why somebody is passed over. */
export function reasonInWords(reason: SkipReason, words: IssuingWording["reasons"]): string {
  return words[names[reason] ?? "unknown"];
}
