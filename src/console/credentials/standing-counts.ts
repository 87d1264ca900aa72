import type { CredentialStandingCount } from "../../../gen/learning_credentials/v1/credential_search_pb.js";
import type { StandingName } from "../components/standing-name.js";
import { standings } from "../components/status.js";

/** A number of credentials, which may be more than was counted. */
export interface Count {
  readonly count: number;
  readonly isAtLeast: boolean;
}

/**
 * How many credentials there are.
 * @param standing only those; undefined for all
 */
export function totalOf(
  counts: readonly CredentialStandingCount[] | undefined,
  standing: StandingName | undefined,
): Count | undefined {
  if (!counts) return undefined;
  const counted = counts.filter((each) => standing === undefined || each.standing === standings[standing]);
  return {
    count: counted.reduce((sum, each) => sum + each.count, 0),
    isAtLeast: counted.some((each) => each.isAtLeast),
  };
}
