import type { CredentialStandingCount } from "#gen/learning_credentials/v1/credential_search_pb.js";
import type { StandingName } from "../components/standing-name.js";
import { standings } from "../components/status.js";

/**
 * Returns the number of credentials, which may be a lower bound.
 * @param standing only this status; undefined for all
 */
export function totalOf(
  counts: readonly CredentialStandingCount[] | undefined,
  standing: StandingName | undefined,
): { readonly count: number; readonly isAtLeast: boolean } | undefined {
  if (!counts) return undefined;
  const counted = counts.filter((each) => standing === undefined || each.standing === standings[standing]);
  return {
    count: counted.reduce((sum, each) => sum + each.count, 0),
    isAtLeast: counted.some((each) => each.isAtLeast),
  };
}
