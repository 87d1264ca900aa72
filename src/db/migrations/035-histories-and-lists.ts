import type { Knex } from "knex";

/**
 * Adds indexes for the history of a credential and for searches of events, and runs for a list of learners.
 *
 * Most events are of three kinds. Only the others have an index by kind: a page of frequent ones is found by
 * reading backwards. Positions follow time, so that a block range index finds a time at hardly any cost.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index credential_events_by_credential on credential_events (credential_uuid, position);
    create index credential_events_by_actor on credential_events (actor_id, position);
    create index credential_events_by_rare_type on credential_events (type, position)
      where type not in ('issued', 'available', 'emailed');
    create index credential_events_by_time on credential_events using brin (occurred_at);

    alter table issuance_runs
      -- 0: it was for all who were eligible.
      add column listed_count integer not null default 0 check (listed_count >= 0),
      add column skips_eligibility boolean not null default false,
      add column unknown_learner_count integer not null default 0 check (unknown_learner_count >= 0),
      add column not_eligible_count integer not null default 0 check (not_eligible_count >= 0),
      add column invalid_count integer not null default 0 check (invalid_count >= 0);
    create index issuance_runs_by_state on issuance_runs (state, number);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index credential_events_by_credential, credential_events_by_actor, credential_events_by_rare_type,
      credential_events_by_time, issuance_runs_by_state;
    alter table issuance_runs drop column listed_count, drop column skips_eligibility,
      drop column unknown_learner_count, drop column not_eligible_count, drop column invalid_count;
  `);
}
