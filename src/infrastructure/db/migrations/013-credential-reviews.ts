import type { Knex } from "knex";

/** Credentials that required another one that has since been withdrawn, until someone has reviewed them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table credential_reviews (
      uuid uuid not null references credentials (uuid) on delete cascade,
      withdrawn_uuid uuid not null references credentials (uuid) on delete cascade,
      primary key (uuid, withdrawn_uuid)
    );
    create index credential_reviews_by_part on credential_reviews (withdrawn_uuid);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table credential_reviews");
}
