import { byColumn } from "#infrastructure/db/columns.js";
import { queryValue } from "#infrastructure/db/query.js";
import type { Query } from "#infrastructure/db/transaction.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { enqueueEach } from "#infrastructure/jobs/enqueue.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import { inserted, type LearnerColumns, restartFailed } from "../credential-columns.js";
import { appendEach } from "../events/append-events.js";
import type { CredentialContent } from "./credential-design.js";

/** The shared values of credentials that are inserted together. */
export type SharedContent = CredentialContent & {
  readonly issuedBy: Actor;
  /** The run that issues them; null if none. */
  readonly runId: string | null;
  /** True if the learners get no email when their credentials become available. Default: false. */
  readonly skipsEmail?: boolean;
  /** True if nobody has checked that the learners are eligible; not for successors. Default: false. */
  readonly skipsEligibility?: boolean;
};

/**
 * SQL: true if the row was updated rather than inserted. Postgres sets `xmax` of a row that "do update" has
 * changed to the transaction that locked it. In a new row, `xmax` is 0.
 */
const HAS_FAILED_BEFORE = "xmax <> 0";

/**
 * Inserts credentials with their events and the jobs that generate their files. A learner whose credential is
 * generating or available is left out; a failed credential is restarted. If several callers race, one of them inserts,
 * and the others wait for it.
 * @param own selects `learnerColumns`. Each username must occur only once. Indexes stay smallest if the rows are
 * ordered by username
 * @returns the number of inserted or restarted credentials
 */
export async function insertCredentials(
  transaction: LearnerTransaction,
  { issuedBy, skipsEligibility = false, skipsEmail = false, ...shared }: SharedContent,
  own: Query,
): Promise<number> {
  return queryValue<number>(
    transaction,
    `with shared as (
       select * from jsonb_populate_record(null::credentials, ?::jsonb)
     ), inserted as (
       insert into credentials (${inserted.columns}, status)
       select ${inserted.values}, 'generating' from shared cross join (${own.sql}) as own
       ${restartFailed}
       returning id, uuid, username, configuration_id, ${HAS_FAILED_BEFORE} as has_failed_before,
         credential_commitment(credentials) as commitment
     ), events as (
       ${appendEach("inserted", {
         type: "issued",
         actor: "?, ?",
         before: "case when has_failed_before then 'error' end",
         after: "generating",
         remarks: `array_remove(array[
             case when ?::boolean then 'eligibility_skipped' end, case when username = ?::text then 'self_issued' end
           ], null)`,
         commitment: "commitment",
       })}
     ), enqueued as (
       ${enqueueEach("generate_credential", "select json_build_object('credentialId', id) as payload from inserted order by id")}
     )
     select count(*) as count from inserted`,
    [
      JSON.stringify(byColumn({ ...shared, skipsEmail, issuedBy: issuedBy.name })),
      ...own.bindings,
      issuedBy.name,
      issuedBy.kind,
      skipsEligibility,
      issuedBy.kind === "user" ? issuedBy.name : null,
    ],
  );
}

/** Returns the query for given rows, as `insertCredentials` takes them. */
export function givenRows(rows: readonly Partial<LearnerColumns>[]): Query {
  return {
    sql: "select * from jsonb_populate_recordset(null::credentials, ?::jsonb)",
    bindings: [JSON.stringify(rows.map(byColumn))],
  };
}
