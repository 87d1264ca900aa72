import { statusSql } from "#foundation/credential-status.js";
import type { Query } from "#infrastructure/db/database.js";
import type { Options } from "../../configurations/options.js";
import { validityOptions } from "../../configurations/validity-options.js";
import type { EligibilityRules } from "../../eligibility/eligibility-rules.js";
import { learnersWithNewResults } from "../../eligibility/eligible-learners.js";

const { isActive, isAvailable } = statusSql();

/**
 * SQL: the time from which results count as new: after the credential was issued or, if it is a reissue, after the
 * first credential in the chain was issued. Times of issue are whole seconds, so results from the same second aren't
 * new.
 */
const EARNED =
  "select username, coalesce(awarded_at, created_at) + interval '1 second' as counted_from from credentials";

/**
 * Returns a query for the learners with results observed after their credential was issued. Returns null if the options
 * don't require new results, so that every eligible learner has earned a renewal.
 * @param due selects `username` and `counted_from`, the time from which results are new
 */
export function renewalsEarned(options: Options, rules: EligibilityRules, due: Query): Query | null {
  if (validityOptions.safeParse(options).data?.renew_on !== "new_record") return null;
  return learnersWithNewResults(rules, due);
}

/** Selects one credential, whether or not its validity has ended. */
export function renewalQuery(uuid: string): Query {
  return { sql: `${EARNED} where uuid = ?`, bindings: [uuid] };
}

/** Selects credentials whose validity ends at or before this time. */
export function dueForRenewal(configurationId: number, renewableUntil: Date): Query {
  return {
    sql: `${EARNED}
      where configuration_id = ? and ${isActive} and ${isAvailable} and valid_until <= cast(? as timestamptz)`,
    bindings: [configurationId, renewableUntil],
  };
}
