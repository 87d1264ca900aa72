import type { CredentialStatusCount } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { statuses } from "../components/status.js";
import type { StatusName } from "../components/status-name.js";

/**
 * Returns how many credentials were counted. Counts that have stopped early make the number a lower bound.
 * @param status the status to count; undefined for all
 */
export function totalOf(
  counts: readonly CredentialStatusCount[] | undefined,
  status: StatusName | undefined,
): { readonly count: number; readonly isAtLeast: boolean } | undefined {
  if (!counts) return undefined;
  const counted = counts.filter((each) => status === undefined || each.status === statuses[status]);
  return {
    count: counted.reduce((sum, each) => sum + each.count, 0),
    isAtLeast: counted.some((each) => each.isAtLeast),
  };
}
