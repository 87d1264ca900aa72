import type { Knex } from "knex";

/**
 * Creates the tables of assets. Content is stored by its SHA-256 and never changes. A slug points to its
 * current content; a credential keeps the content it was issued with.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table asset_contents (
      sha256 bytea primary key check (length(sha256) = 32),
      kind text not null check (kind in ('pdf', 'png', 'jpeg', 'svg', 'font')),
      size integer not null check (size > 0),
      file_key text not null
    );

    create table assets (
      id integer generated always as identity primary key,
      slug text collate "C" not null unique check (slug ~ '^[a-z0-9][a-z0-9_-]{0,99}$'),
      sha256 bytea not null references asset_contents on delete restrict,
      uploaded_at timestamptz not null,
      uploaded_by text not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table assets, asset_contents");
}
