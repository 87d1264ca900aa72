import { byColumn } from "#infrastructure/db/columns.js";
import type { Query } from "#infrastructure/db/database.js";
import { queryValue } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { enqueueEach } from "#infrastructure/jobs/enqueue.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import { inserted, type LearnerColumns, restartFailed } from "../credential-columns.js";
import { appendEach } from "../events/append-events.js";
import type { CredentialContent } from "./credential-design.js";

/** Values of credentials that are inserted together. */
type SharedContent = CredentialContent & {
  readonly issuedBy: Actor;
  readonly runId: string | null;
  /** Default: false (learners get an email when their credentials become available). */
  readonly skipsEmail?: boolean;
  /** Whether eligibility was not checked. Never set for the successors of reissued credentials. Default: false. */
  readonly skipsEligibility?: boolean;
};

/** SQL: whether the row was updated rather than inserted. "do update" sets `xmax`, which is 0 in a new row. */
const HAS_FAILED_BEFORE = "xmax <> 0";

/**
 * Inserts credentials, with their events and the jobs that generate their files. Learners with a generating or
 * available credential are left out; a failed credential is restarted. If several callers insert the same credential,
 * one succeeds, and the others wait for it.
 * @param own selects `learnerColumns`. Each username must occur only once. Ordering by username keeps the indexes small
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

export function rowsQuery(rows: readonly Partial<LearnerColumns>[]): Query {
  return {
    sql: "select * from jsonb_populate_recordset(null::credentials, ?::jsonb)",
    bindings: [JSON.stringify(rows.map(byColumn))],
  };
}
