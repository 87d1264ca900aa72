import type { Knex } from "knex";

/**
 * Adds the issuer of imported credentials. The issuer is one of the facts that events vouch for. It is null
 * for credentials issued here, or imported by an older version. An event records the time of the import.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials
      add column imported_at timestamptz,
      -- The name as printed. Empty if the other system did not give it.
      add column original_issuer text check (length(original_issuer) <= 255);

    update credentials set imported_at = imported.occurred_at
    from (
      select credential_uuid, occurred_at from credential_events where type = 'imported'
      union all
      select credential_uuid, occurred_at from unsealed_credential_events where type = 'imported'
    ) as imported
    where uuid = imported.credential_uuid;
  `);
  await createFacts(knex, ",\n        'original_issuer: ' || to_json(credential.original_issuer)");
}

export async function down(knex: Knex): Promise<void> {
  await createFacts(knex, "");
  await knex.raw("alter table credentials drop column imported_at, drop column original_issuer");
}

/** The function of 011-commitments.ts with one more line. */
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
        'file_sha256: ' || encode(credential.file_sha256, 'hex')${more}
      )
    $$;
  `);
}
