import type { VerifiableStatus } from "../../credential-status.js";
import type { Verification } from "../../credentials/verification/look-up-verification.js";

/**
 * Statuses that pages distinguish: the contract's two words, and that a credential is invalid only because it
 * has expired.
 */
export type ShownStatus = VerifiableStatus | "expired";

export function shownStatus({ status, isExpired }: Pick<Verification, "status" | "isExpired">): ShownStatus {
  return isExpired ? "expired" : status;
}
