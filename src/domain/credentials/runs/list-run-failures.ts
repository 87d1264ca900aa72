import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import { queryRows } from "#infrastructure/db/query.js";
import type { RunFailure } from "./issuance-run.js";

const { isFailed } = statusSql();

/** Maximum number of reasons that are counted. */
const MAX_GROUPS = 100;

/** Failures of a run for the same reason. */
export interface FailureGroup {
  readonly reason: string;
  readonly count: number;
}

/** Counts the credentials of a run that are failed now, by reason, most frequent first. */
export async function countFailures(db: Knex, runId: string): Promise<FailureGroup[]> {
  return queryRows<FailureGroup>(
    db,
    `select error_reason as reason, count(*) as count from credentials
     where run_id = ?::uuid and ${isFailed}
     group by error_reason order by count(*) desc, error_reason limit ${MAX_GROUPS}`,
    [runId],
  );
}

/**
 * Lists the failures of a run in the order of issuing.
 * @param about.reason only failures for this reason; if empty, all
 */
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
