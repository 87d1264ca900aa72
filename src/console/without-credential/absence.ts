import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { Chapters } from "../i18n/load-chapter.js";
import { reasonInWords } from "../runs/skip-reasons.js";

/**
 * Returns the name of a reason why a learner has no credential, for URLs. `NEXT_RUN` means that the next run will issue
 * it.
 */
export function absenceName(reason: SkipReason): string {
  return reason === SkipReason.UNSPECIFIED ? "NEXT_RUN" : SkipReason[reason];
}

/** Returns the reason that a URL names; undefined if the URL names none. */
export function reasonNamed(name: string | undefined): SkipReason | undefined {
  const { UNSPECIFIED, NOT_ELIGIBLE, WITHDRAWN, NOT_CLAIMED, NO_FULL_NAME } = SkipReason;
  return [UNSPECIFIED, NOT_ELIGIBLE, WITHDRAWN, NOT_CLAIMED, NO_FULL_NAME].find(
    (reason) => absenceName(reason) === name,
  );
}

export function absenceInWords(reason: SkipReason, issuing: Chapters["issuing"]): string {
  if (reason === SkipReason.UNSPECIFIED) return issuing.without.waiting;
  return reason === SkipReason.NOT_ELIGIBLE ? issuing.without.notMet : reasonInWords(reason, issuing);
}
