import { statusSql } from "#foundation/credential-status.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import type { RunFailure } from "./issuance-run.js";

const { isFailed } = statusSql();

/** Maximum number of different reasons. */
const MAX_GROUPS = 100;

export interface FailureGroup {
  readonly reason: string;
  readonly count: number;
}

/** Counts failed credentials of the run by reason, most frequent reason first. */
export async function countRunFailures(db: Knex, runId: string): Promise<FailureGroup[]> {
  return queryRows<FailureGroup>(
    db,
    `select error_reason as reason, count(*) as count from credentials
     where run_id = ?::uuid and ${isFailed}
     group by error_reason order by count(*) desc, error_reason limit ${MAX_GROUPS}`,
    [runId],
  );
}

/** Lists failed credentials in the order in which they were issued. @param about.reason empty for all reasons */
export async function listRunFailures(
  db: Knex,
  { runId, reason }: { readonly runId: string; readonly reason: string },
  afterId: number,
  limit: number,
): Promise<(RunFailure & { readonly id: number })[]> {
  return queryRows<RunFailure & { id: number }>(
    db,
    `select id, uuid, username, error_reason as reason from credentials
     where run_id = cast(:runId as uuid) and ${isFailed} and id > :afterId
       and (:reason = '' or error_reason = :reason)
     order by id limit :limit`,
    { runId, reason, afterId, limit },
  );
}
