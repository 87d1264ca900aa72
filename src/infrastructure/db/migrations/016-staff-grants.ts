import type { Knex } from "knex";

/** Roles that administrators grant to people who sign in through the identity provider. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table staff_grants (
      username text primary key check (length(username) between 1 and 255),
      roles text[] not null check (cardinality(roles) > 0),
      -- Null if the roles are not restricted to organisations.
      organisations text[] check (cardinality(organisations) > 0),
      -- The account at the identity provider that was the first to use the grant. Since then, only this account may
      -- use it. Null until someone uses the grant.
      issuer text,
      subject text,
      granted_by text not null,
      etag uuid not null default gen_random_uuid(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    -- Whether the session has the roles and organisations of the person's current grant, instead of its own.
    alter table console_sessions add column is_granted boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from console_sessions where is_granted;
    alter table console_sessions drop column is_granted;
    drop table staff_grants;
  `);
}
