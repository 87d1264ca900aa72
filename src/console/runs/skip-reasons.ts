import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import type { IssuingWording } from "../languages/en/issuing.js";

/** Says why somebody is passed over. */
export function reasonInWords(reason: SkipReason, { reasons }: IssuingWording): string {
  return reasons[SkipReason[reason]] ?? reasons.UNKNOWN ?? "";
}
