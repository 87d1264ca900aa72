import type { VerifiableStatus } from "../../credential-status.js";
import type { Verification } from "../../credentials/verification/look-up-verification.js";

/**
 * Statuses that pages distinguish: the contract's two words, and why a credential may be invalid without any
 * wrong: it has expired, or another one was issued in its place.
 */
export type ShownStatus = VerifiableStatus | "expired" | "replaced";

export function shownStatus({
  status,
  isExpired,
  replacedBy,
}: Pick<Verification, "status" | "isExpired" | "replacedBy">): ShownStatus {
  if (replacedBy !== null) return "replaced";
  return isExpired ? "expired" : status;
}
