import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import type { VerifiableStatus } from "#foundation/credential-status.js";

/**
 * Statuses that pages distinguish. In addition to the two of the contract, they say why a credential is no longer valid
 * although nothing was wrong with it: it expired or was replaced.
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
