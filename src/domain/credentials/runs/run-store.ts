import { statusSql } from "#foundation/credential-status.js";
import { insertion } from "#infrastructure/db/columns.js";
import { execute, type Knex, queryRow, queryRows, queryValues } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { dropGenerations } from "#infrastructure/jobs/queue-store.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import { type Organisations, withinSql } from "../../learners/organisations.js";
import { appendEach } from "../events/append-events.js";
import { markForReview } from "../reviews.js";
import { type IssuanceRun, type IssuanceRunState, noneSkipped, type RunFailure } from "./issuance-run.js";

const { isFailed, isGenerating, isVerifiable } = statusSql();

/**
 * SQL that counts a run's credentials. A credential that was generated and later invalidated is counted as available.
 */
const counted = `count(*) filter (where ${isGenerating}) as generating,
      count(*) filter (where ${isVerifiable}) as available`;

/** Maximum number of failures in a report. */
const MAX_FAILURES = 100;

/**
 * Selects a run. While a run is running, its credentials are counted now. When it has ended, its stored counts are
 * used.
 */
const selectRun = `
  select run.id, run.number, run.configuration_id as "configurationId", run.state, run.started_by as "startedBy",
    run.started_at as "startedAt", run.ended_at as "endedAt", run.issued_count as "issuedCount",
    live.generating as "generatingCount",
    coalesce(run.available_count, live.available) as "availableCount",
    coalesce(run.failed_count, run.issued_count - live.available - live.generating) as "failedCount",
    json_build_object(
      ${Object.keys(noneSkipped)
        .map((reason) => `'${reason}', run.${reason}_count`)
        .join(", ")}
    ) as skipped, run.listed_count as "listedCount", run.skips_eligibility as "skipsEligibility",
    run.skips_email as "skipsEmail"
  from issuance_runs run
  cross join lateral (
    select ${counted}
    from credentials where run_id = run.id and run.state = 'running'
  ) live`;

type NewRun = Pick<
  IssuanceRun,
  | "id"
  | "configurationId"
  | "startedBy"
  | "issuedCount"
  | "skipped"
  | "listedCount"
  | "skipsEligibility"
  | "skipsEmail"
> & {
  readonly planHash: string;
};

export async function insertRun(transaction: LearnerTransaction, { skipped, ...run }: NewRun): Promise<void> {
  const counts = Object.entries(skipped).map(([reason, count]) => [`${reason}_count`, count]);
  const row = { ...run, state: "running", ...Object.fromEntries(counts) };
  const { sql, bindings } = insertion("issuance_runs", row);
  await execute(transaction, sql, bindings);
}

export async function findRun(db: Knex, id: string): Promise<IssuanceRun | undefined> {
  return queryRow<IssuanceRun>(db, `${selectRun} where run.id = ?::uuid`, [id]);
}

/** Locks the run until the transaction ends, so that it can't be cancelled, retried or ended meanwhile. */
export async function lockRun(transaction: Knex.Transaction, id: string): Promise<IssuanceRun | undefined> {
  await execute(transaction, "select from issuance_runs where id = ?::uuid for update", [id]);
  return findRun(transaction, id);
}

/** Fields that are 0 or absent don't filter. */
interface RunFilter {
  readonly configurationId: number;
  readonly state?: IssuanceRunState | undefined;
  readonly organisations?: Organisations;
}

/** Lists runs with numbers below `belowNumber`, newest first. 0 starts from the latest run. */
export async function listRuns(
  db: Knex,
  filter: RunFilter,
  belowNumber: number,
  limit: number,
): Promise<IssuanceRun[]> {
  return queryRows<IssuanceRun>(
    db,
    `${selectRun}
     where (:configurationId = 0 or run.configuration_id = :configurationId)
       and (:belowNumber = 0 or run.number < :belowNumber)
       and (cast(:state as text) is null or run.state = :state)
       and (cast(:organisations as text[]) is null or exists (
         select from credential_configurations configuration
         where configuration.id = run.configuration_id
           and ${withinSql("configuration.learning_context_key", filter.organisations, ":organisations")}
       ))
     order by run.number desc limit :limit`,
    {
      ...filter,
      state: filter.state ?? null,
      organisations: filter.organisations ?? null,
      belowNumber,
      limit,
    },
  );
}

/** Lists the first failures: the current ones while the run is running, otherwise the ones stored when it ended. */
export async function listFailures(db: Knex, { id, state }: IssuanceRun): Promise<RunFailure[]> {
  return queryRows<RunFailure>(
    db,
    state === "running"
      ? `select uuid, username, error_reason as reason from credentials
         where run_id = ?::uuid and ${isFailed} order by id limit ${MAX_FAILURES}`
      : `select credential_uuid as uuid, coalesce(username, '') as username, reason
         from issuance_run_failures left join credentials on uuid = credential_uuid
         where issuance_run_failures.run_id = ?::uuid order by username, credential_uuid`,
    [id],
  );
}

export async function findDoneRuns(db: Knex): Promise<string[]> {
  return queryValues<string>(
    db,
    `select id from issuance_runs run
     where state = 'running'
       and not exists (select from credentials where run_id = run.id and ${isGenerating})`,
  );
}

/** Locks the runs that are running. Leaves out runs that have ended or are locked by another transaction. */
export async function lockRunning(transaction: Knex.Transaction, ids: readonly string[]): Promise<string[]> {
  return queryValues<string>(
    transaction,
    "select id from issuance_runs where id = any (?::uuid[]) and state = 'running' for update skip locked",
    [ids],
  );
}

/**
 * Ends locked runs, and stores their reports. With `complete`, leaves out runs in which a credential is still
 * generating.
 */
export async function endRuns(
  transaction: Knex.Transaction,
  ids: readonly string[],
  state: "complete" | "cancelled",
): Promise<void> {
  await execute(
    transaction,
    `with ended as (
       update issuance_runs run set
         state = :state, ended_at = clock_timestamp(), available_count = counted.available,
         failed_count = run.issued_count - counted.available
       from (
         select id, live.*
         from issuance_runs
         cross join lateral (
           select ${counted}
           from credentials where run_id = issuance_runs.id
         ) live
         where id = any (cast(:ids as uuid[]))
       ) counted
       where run.id = counted.id and (counted.generating = 0 or :state = 'cancelled')
       returning run.id
     )
     insert into issuance_run_failures (run_id, credential_uuid, reason)
     select ended.id, failed.uuid, failed.error_reason
     from ended cross join lateral (
       select uuid, error_reason from credentials
       where run_id = ended.id and ${isFailed} order by credentials.id limit ${MAX_FAILURES}
     ) failed`,
    { ids, state },
  );
}

/** Sets a run to running again, and deletes its report. */
export async function reopenRun(transaction: Knex.Transaction, id: string): Promise<void> {
  await execute(transaction, "delete from issuance_run_failures where run_id = ?::uuid", [id]);
  await execute(
    transaction,
    `update issuance_runs
     set state = 'running', ended_at = null, available_count = null, failed_count = null
     where id = ?::uuid`,
    [id],
  );
}

export async function learnersOfRun(transaction: Knex.Transaction, id: string): Promise<string[]> {
  return queryValues<string>(transaction, "select username from credentials where run_id = ?::uuid", [id]);
}

/**
 * Lets transactions plan the runs of a configuration one at a time, so that each sees the credentials issued by the
 * previous one.
 */
export async function lockRunsOf(transaction: Knex.Transaction, configurationId: number): Promise<void> {
  await execute(transaction, "select pg_advisory_xact_lock(?, ?)", [RUNS_LOCK, configurationId]);
}

/** First key of the advisory locks for runs. Nothing else uses this number. */
const RUNS_LOCK = 0x0155_0e11;

/**
 * Sets the generating credentials of a run to failed, appends events, removes the credentials' jobs from the queue, and
 * marks credentials that required them for review. A job that is already running is kept. Its attempt can no longer succeed, and the job deletes the file that it makes.
 */
export async function cancelGenerating(
  transaction: Knex.Transaction,
  { id, cancelledBy, reason }: { readonly id: string; readonly cancelledBy: Actor; readonly reason: string },
): Promise<void> {
  await execute(
    transaction,
    `with cancelled as (
       update credentials set status = 'error', error_reason = :reason
       where run_id = cast(:id as uuid) and ${isGenerating}
       returning id, uuid, configuration_id, username
     ), dropped as (
       ${dropGenerations("select id from cancelled")}
     ), reviews as (
       ${markForReview("select uuid, username from cancelled")}
     )
     ${appendEach("cancelled", { type: "failed", actor: ":name, :kind", before: "'generating'", after: "error" })}`,
    { id, reason, ...cancelledBy },
  );
}
