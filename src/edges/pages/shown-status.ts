import type { VerifiableStatus } from "../../credentials/credential-status.js";
import type { Verification } from "../../credentials/verification/look-up-verification.js";

/** What pages tell apart: the contract's two words, and that a credential is not valid only because its time is over. */
export type ShownStatus = VerifiableStatus | "expired";

export function shownStatus({ status, isExpired }: Pick<Verification, "status" | "isExpired">): ShownStatus {
  return isExpired ? "expired" : status;
}
