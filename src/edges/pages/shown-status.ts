import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import type { VerifiableStatus } from "#foundation/credential-status.js";

/**
 * Statuses that pages distinguish. Besides the contract's two words, they say why a credential is no longer valid
 * though nothing was wrong: it has expired, or was replaced.
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
