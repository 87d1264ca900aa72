import { queryRowOrThrow } from "../../db/query.js";
import type { Query } from "../../db/transaction.js";
import type { Actor } from "../../identity/actors.js";
import { enqueueEach } from "../../jobs/enqueue.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import { addressHashSql, HAS_FAILED_BEFORE, restartFailed } from "../credential-store.js";
import { appendEach } from "../events/append-events.js";
import type { CredentialContent } from "./credential-design.js";

/** What credentials that are inserted together have in common. */
export type SharedColumns = CredentialContent & {
  readonly issuedBy: Actor;
  /** The run that issues them; null if none. */
  readonly runId: string | null;
  /** True if nobody has checked that the learners are eligible; not for successors. Default: false. */
  readonly skipsEligibility?: boolean;
};

/**
 * Inserts many credentials at once, with their events and the jobs that generate their files. A learner whose
 * credential is generating or available is left out; a failed credential is restarted.
 * @param who gives `username`, `user_full_name`, `particulars`, `results`, and `replaces`, `awarded_at` and `valid_until`
 * (or null). Each username occurs once. Indexes grow fastest if the rows are ordered by username
 * @returns how many were inserted or restarted
 */
export async function insertCredentials(
  transaction: LearnerTransaction,
  shared: SharedColumns,
  who: Query,
): Promise<number> {
  const columns = {
    configuration_id: shared.configurationId,
    issued_by: shared.issuedBy.name,
    issued_by_kind: shared.issuedBy.kind,
    run_id: shared.runId,
    skips_eligibility: shared.skipsEligibility ?? false,
    learning_context_key: shared.learningContextKey,
    learning_context_name: shared.learningContextName,
    credential_type: shared.credentialType,
    generation_func: shared.generationFunc,
    options: shared.options,
    assets: shared.assets,
    print_settings: shared.printSettings,
  };
  const { count } = await queryRowOrThrow<{ count: number }>(
    transaction,
    `with shared as (
       select * from jsonb_to_record(?::jsonb) as (
         configuration_id integer, issued_by text, issued_by_kind text, run_id uuid, skips_eligibility boolean,
         learning_context_key text, learning_context_name text, credential_type text, generation_func text, options jsonb, assets jsonb,
         print_settings jsonb
       )
     ), inserted as (
       insert into credentials (
         username, user_full_name, particulars, results, replaces, awarded_at, valid_until, status, created_at,
         configuration_id, issued_by, run_id, learning_context_key, learning_context_name, credential_type,
         generation_func, options, assets, print_settings, search_words, address_hash
       )
       select who.username, who.user_full_name, who.particulars, who.results, who.replaces, who.awarded_at,
         who.valid_until, 'generating', date_trunc('second', now()),
         shared.configuration_id, shared.issued_by, shared.run_id, shared.learning_context_key,
         shared.learning_context_name, shared.credential_type, shared.generation_func, shared.options,
         shared.assets, shared.print_settings,
         coalesce((select search_words from learners where learners.username = who.username), ''),
         ${addressHashSql("who.username", "shared.options")}
       from shared cross join (${who.sql}) as who
       ${restartFailed("run_id")}
       returning id, uuid, username, configuration_id, ${HAS_FAILED_BEFORE} as has_failed_before,
         credential_commitment(credentials) as commitment
     ), events as (
       ${appendEach("inserted", {
         type: "issued",
         actor: "(select issued_by from shared), (select issued_by_kind from shared)",
         before: "case when has_failed_before then 'error' end",
         after: "generating",
         remarks: `array_remove(array[
             case when (select skips_eligibility from shared) then 'eligibility_skipped' end,
             case when exists (
               select from shared where issued_by_kind = 'user' and issued_by = username
             ) then 'self_issued' end
           ], null)`,
         commitment: "commitment",
       })}
     ), enqueued as (
       ${enqueueEach("generate_credential", "select json_build_object('credentialId', id) as payload from inserted order by id")}
     )
     select count(*) as count from inserted`,
    [JSON.stringify(columns), ...who.bindings],
  );
  return count;
}
