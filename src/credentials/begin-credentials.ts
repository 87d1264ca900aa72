import type { Knex } from "knex";
import type { Query } from "../db/transaction.js";
import { enqueueEach } from "../jobs/enqueue.js";
import type { NewCredential } from "./credential-store.js";

/** What credentials that are begun together have in common. */
export type SharedBeginning = Omit<NewCredential, "username" | "userFullName" | "replaces"> & {
  /** The run that begins them; null: none. */
  readonly runId: string | null;
};

/**
 * Begins many credentials at once, with their events and the jobs that make their files. As with one: who has a credential
 * that is generating or available gets none, and a failed one is begun anew.
 * @param who gives `username`, `user_full_name` and `replaces` (uuid or null), each username once; best in the order of
 *   usernames, in which indexes grow fastest
 * @returns how many were begun
 */
export async function beginCredentials(
  transaction: Knex.Transaction,
  shared: SharedBeginning,
  who: Query,
): Promise<number> {
  const { rows } = await transaction.raw(
    `with begun as (
       insert into credentials (
         username, user_full_name, replaces, status, created_at, configuration_id, issued_by, run_id,
         learning_context_key, learning_context_name, credential_type, generation_func, options, assets, print_settings
       )
       select username, user_full_name, replaces, 'generating', date_trunc('second', now()), ?::integer, ?, ?::uuid,
         ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb
       from (${who.sql}) as who
       on conflict (username, configuration_id) where status <> 'invalidated' do update set
         id = default,
         status = 'generating',
         error_reason = '',
         issued_by = excluded.issued_by,
         run_id = excluded.run_id,
         user_full_name = excluded.user_full_name,
         learning_context_name = excluded.learning_context_name,
         credential_type = excluded.credential_type,
         generation_func = excluded.generation_func,
         options = excluded.options,
         assets = excluded.assets,
         print_settings = excluded.print_settings,
         created_at = excluded.created_at
       where credentials.status = 'error'
       returning id, uuid, configuration_id, xmax <> 0 as has_failed_before
     ), events as (
       insert into unsealed_credential_events
         (type, credential_uuid, configuration_id, actor_id, status_before, status_after)
       select 'issued', uuid, configuration_id, (select credential_event_actor(?)),
         case when has_failed_before then 'error' end, 'generating'
       from begun
     )
     select (select count(*) from begun) as count,
       (${enqueueEach("generate_credential", "select json_build_object('credentialId', id) as payload from begun order by id")})`,
    [
      shared.configurationId,
      shared.issuedBy,
      shared.runId,
      shared.learningContextKey,
      shared.learningContextName,
      shared.credentialType,
      shared.generationFunc,
      JSON.stringify(shared.options),
      JSON.stringify(shared.assets),
      JSON.stringify(shared.printSettings),
      ...who.bindings,
      shared.issuedBy,
    ] as Knex.RawBinding[],
  );
  return rows[0].count;
}
