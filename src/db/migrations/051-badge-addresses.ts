import type { Knex } from "knex";

/**
 * Adds the learner's address as a badge states it: hashed with a salt of its own, so that only someone who
 * knows the address can find it again. It is there only if the type asked for it when the credential was issued.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table credentials
      -- The salt and the SHA-256 of the lower-case address followed by the salt, in hexadecimal.
      add column address_hash text check (address_hash ~ '^[0-9a-f]{32}:[0-9a-f]{64}$')
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table credentials drop column address_hash");
}
