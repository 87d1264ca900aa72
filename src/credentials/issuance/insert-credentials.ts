import type { Knex } from "knex";
import type { Query } from "../../db/transaction.js";
import type { Actor } from "../../identity/actors.js";
import { enqueueEach } from "../../jobs/enqueue.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import { HAS_FAILED_BEFORE, restartFailed } from "../credential-store.js";
import { appendEach } from "../events/append-events.js";
import type { CredentialContent } from "./credential-design.js";

/** What credentials that are inserted together have in common. */
export type SharedColumns = CredentialContent & {
  readonly issuedBy: Actor;
  /** The run that issues them; null if none. */
  readonly runId: string | null;
};

/**
 * Inserts many credentials at once, with their events and the jobs that generate their files. A learner whose
 * credential is generating or available is left out; a failed credential is restarted.
 * @param who gives `username`, `user_full_name`, `particulars`, and `replaces`, `awarded_at` and `valid_until` (or null).
 * Each username occurs once. Indexes grow fastest if the rows are ordered by username
 * @returns how many were inserted or restarted
 */
export async function insertCredentials(
  transaction: LearnerTransaction,
  shared: SharedColumns,
  who: Query,
): Promise<number> {
  const { rows } = await transaction.raw(
    `with inserted as (
       insert into credentials (
         username, user_full_name, particulars, replaces, awarded_at, valid_until, status, created_at, configuration_id, issued_by, run_id,
         learning_context_key, learning_context_name, credential_type, generation_func, options, assets, print_settings
       )
       select username, user_full_name, particulars, replaces, awarded_at, valid_until, 'generating', date_trunc('second', now()), ?::integer, ?, ?::uuid,
         ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb
       from (${who.sql}) as who
       ${restartFailed("run_id")}
       returning id, uuid, username, configuration_id, ${HAS_FAILED_BEFORE} as has_failed_before,
         credential_commitment(credentials) as commitment
     ), events as (
       ${appendEach("inserted", {
         type: "issued",
         actor: "?, ?",
         before: "case when has_failed_before then 'error' end",
         after: "generating",
         remarks: "case when username = ? then array['self_issued'] else '{}' end",
         commitment: "commitment",
       })}
     )
     select (select count(*) from inserted) as count,
       (${enqueueEach("generate_credential", "select json_build_object('credentialId', id) as payload from inserted order by id")})`,
    [
      shared.configurationId,
      shared.issuedBy.name,
      shared.runId,
      shared.learningContextKey,
      shared.learningContextName,
      shared.credentialType,
      shared.generationFunc,
      JSON.stringify(shared.options),
      JSON.stringify(shared.assets),
      JSON.stringify(shared.printSettings),
      ...who.bindings,
      shared.issuedBy.name,
      shared.issuedBy.kind,
      shared.issuedBy.kind === "user" ? shared.issuedBy.name : null,
    ] as Knex.RawBinding[],
  );
  return rows[0].count;
}
