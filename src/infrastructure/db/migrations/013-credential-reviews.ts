import type { Knex } from "knex";

/** Credentials that someone must review, because a credential that they required has been withdrawn. */
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
