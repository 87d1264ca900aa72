import { textFor } from "#foundation/languages/message.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { Chapters } from "../i18n/load-chapter.js";

export function reasonInWords(reason: SkipReason, { reasons }: Chapters["issuing"]): string {
  return textFor(reasons, SkipReason[reason]) ?? reasons.UNKNOWN ?? "";
}

/** Returns a reason as it follows the number of learners, for example `already have this credential`. */
export function countedReason(
  reason: SkipReason,
  count: number,
  { reasonCounts }: Chapters["issuing"],
): string {
  return (textFor(reasonCounts, SkipReason[reason]) ?? reasonCounts.UNKNOWN)({ count });
}
