import type { Knex } from "knex";

/**
 * Adds indexes for the history of a credential and for searches of events, and runs for a list of learners.
 *
 * Most events are of three kinds. Only the others have an index by kind: a page of frequent ones is found by
 * reading backwards. Positions follow time, so that a block range index finds a time at hardly any cost.
 */
/** Each statement is a transaction of its own: calls take these tables in any order, and would deadlock with it. */
export const config = { transaction: false };

const indexes = {
  credential_events_by_credential: "credential_events (credential_uuid, position)",
  credential_events_by_actor: "credential_events (actor_id, position)",
  credential_events_by_rare_type:
    "credential_events (type, position) where type not in ('issued', 'available', 'emailed')",
  credential_events_by_time: "credential_events using brin (occurred_at)",
  issuance_runs_by_state: "issuance_runs (state, number)",
};

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table issuance_runs
      -- 0: it was for all who were eligible.
      add column if not exists listed_count integer not null default 0 check (listed_count >= 0),
      add column if not exists skips_eligibility boolean not null default false,
      add column if not exists unknown_learner_count integer not null default 0 check (unknown_learner_count >= 0),
      add column if not exists not_eligible_count integer not null default 0 check (not_eligible_count >= 0),
      add column if not exists invalid_count integer not null default 0 check (invalid_count >= 0)
  `);
  for (const [name, definition] of Object.entries(indexes))
    await knex.raw(`create index if not exists ${name} on ${definition}`);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`drop index if exists ${name}`);
  await knex.raw(`
    alter table issuance_runs drop column if exists listed_count, drop column if exists skips_eligibility,
      drop column if exists unknown_learner_count, drop column if exists not_eligible_count,
      drop column if exists invalid_count
  `);
}
