import { statusSql } from "#foundation/credential-status.js";
import type { Query } from "#infrastructure/db/transaction.js";
import type { Options } from "../../configurations/options.js";
import { validityOptions } from "../../configurations/validity-options.js";
import type { EligibilityRules } from "../../eligibility/eligibility-rules.js";
import { learnersWithNewResults } from "../../eligibility/eligible-learners.js";

const { isActive, isAvailable } = statusSql();

/**
 * SQL for the time from which results are new. A reissued credential uses the time of the first one. Times of issue are
 * whole seconds, so results of that second don't count as new.
 */
const EARNED =
  "select username, coalesce(awarded_at, created_at) + interval '1 second' as counted_from from credentials";

/**
 * Returns the query for the learners who have earned a renewal with results that were observed after their credential
 * was issued.
 * @param due selects `username` and `counted_from`, the time from which results are new
 * @returns null if the options require no new results, so that everyone who is eligible has earned it
 */
export function renewalsEarned(options: Options, rules: EligibilityRules, due: Query): Query | null {
  if (validityOptions.safeParse(options).data?.renew_on !== "new_record") return null;
  return learnersWithNewResults(rules, due);
}

/** Selects one credential, whatever its end of validity. */
export function onlyOf(uuid: string): Query {
  return { sql: `${EARNED} where uuid = ?`, bindings: [uuid] };
}

/** Selects the credentials of a configuration whose validity ends at this time or earlier. */
export function dueForRenewal(configurationId: number, renewableUntil: Date): Query {
  return {
    sql: `${EARNED}
      where configuration_id = ? and ${isActive} and ${isAvailable} and valid_until <= cast(? as timestamptz)`,
    bindings: [configurationId, renewableUntil],
  };
}
