import type { Verification } from "#domain/credentials/verification/look-up-verification.js";
import type { VerifiableStatus } from "#foundation/credential-status.js";

/** The statuses of the REST API, and two more for genuine credentials that are no longer valid. */
export type ShownStatus = VerifiableStatus | "expired" | "replaced";

export function shownStatus({
  status,
  isExpired,
  replacedBy,
}: Pick<Verification, "status" | "isExpired" | "replacedBy">): ShownStatus {
  if (replacedBy !== null) return "replaced";
  return isExpired ? "expired" : status;
}
