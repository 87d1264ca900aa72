import type { Knex } from "knex";

/**
 * Adds the name of the platform that issued or imported a credential, as it was then. It is one of the facts
 * that events vouch for. The database copies it from the settings stored with the credential, for older
 * versions of the service, too. It is null for existing credentials, whose events don't contain it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials add column platform text;
    create function name_platform() returns trigger language plpgsql as $$
    begin
      new.platform := new.print_settings->>'platformName';
      return new;
    end $$;
    create trigger platform before insert or update of print_settings on credentials
      for each row execute function name_platform();
  `);
  await createFacts(knex, ",\n        'platform: ' || to_json(credential.platform)");
}

export async function down(knex: Knex): Promise<void> {
  await createFacts(knex, "");
  await knex.raw(`
    drop trigger platform on credentials;
    drop function name_platform();
    alter table credentials drop column platform;
  `);
}

/** The function of 015-imports.ts with one more line. */
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
        'original_issuer: ' || to_json(credential.original_issuer)${more}
      )
    $$;
  `);
}
