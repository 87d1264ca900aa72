import type { Knex } from "knex";

/**
 * Adds what credentials may print beyond names and dates. Records have learners' ids and texts of the
 * institution. A credential keeps those that it prints. Both columns of a credential are among the facts that
 * events vouch for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table learners
      add column learner_id text not null default '' check (length(learner_id) <= 64),
      add column attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object');
    alter table enrollments
      add column attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object');
    alter table credentials
      -- When the first of a series of reissued credentials was issued. null: this is the first.
      add column awarded_at timestamptz,
      add column particulars jsonb check (jsonb_typeof(particulars) = 'object');
  `);
  await createFacts(
    knex,
    `,
        'awarded: ' || to_char(credential.awarded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'particulars: ' || cast(credential.particulars as text)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await createFacts(knex, "");
  await knex.raw(`
    alter table credentials drop column awarded_at, drop column particulars;
    alter table enrollments drop column attributes;
    alter table learners drop column learner_id, drop column attributes;
  `);
}

/** The function of 019-platforms.ts with two more lines. */
async function createFacts(knex: Knex, more: string): Promise<void> {
  await knex.raw(`
    create or replace function credential_facts(credential credentials) returns text language sql stable as $$
      select concat_ws(E'\\n',
        'verify_uuid: ' || credential.verify_uuid,
        'holder: ' || encode(sha256(credential.commitment_seed || convert_to(credential.username, 'UTF8')), 'hex'),
        'name: ' || to_json(nullif(credential.user_full_name, '')),
        'context_key: ' || to_json(credential.learning_context_key),
        'context_name: ' || to_json(credential.learning_context_name),
        'type: ' || to_json(credential.credential_type),
        'created: ' || to_char(credential.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'status: ' || credential.status,
        'reason: ' || to_json(nullif(credential.invalidation_reason, '')),
        'invalidated: ' || to_char(credential.invalidated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'file_sha256: ' || encode(credential.file_sha256, 'hex'),
        'original_issuer: ' || to_json(credential.original_issuer),
        'platform: ' || to_json(credential.platform)${more}
      )
    $$;
  `);
}
