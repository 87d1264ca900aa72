import type { Knex } from "knex";

/** Rows that one statement fills in. */
const BATCH = 5000;

/**
 * Each statement is a transaction of its own: calls are answered while the owners of millions of records are
 * filled in. A migration that was interrupted begins again.
 */
export const config = { transaction: false };

/**
 * Notes who has told of a learner first, and alone may change their record; and which platforms are left alone
 * after failures.
 */
export async function up(knex: Knex): Promise<void> {
  // Nobody: ''. The API and files: 'api'. A connector: 'connector:' and its id.
  await knex.raw("alter table learners add column if not exists owner text not null default 'api'");
  await knex.raw(`
    create table if not exists connector_clashes (
      connector text not null,
      username text collate "C" not null check (length(username) between 1 and 255),
      -- What it tells otherwise than the owner: name, address, active, or retired.
      differs text[] not null,
      primary key (connector, username)
    );
    create index if not exists connector_clashes_by_learner on connector_clashes (username);

    create table if not exists connector_pauses (
      connector text primary key,
      -- How often in a row reading has ended the process, or has failed unexpectedly.
      failures integer not null,
      -- No worker reads the platform until then. Null: one does, or has died while it did.
      until timestamptz,
      reason text not null
    );
  `);
  // Whoever was added by a registrar's list has no owner yet.
  await knex.raw("update learners set owner = '' where observed_at = timestamptz 'epoch' and owner <> ''");
  await fillConnectors(knex);
  await knex.raw(
    "create index if not exists learners_of_connectors on learners (owner) where owner not in ('', 'api')",
  );
}

/** Of several connectors that know a learner, the one that was set up first is the owner. */
async function fillConnectors(knex: Knex): Promise<void> {
  const { rows } = await knex.raw(
    `select connector from connector_people left join connector_sweeps using (connector)
     group by connector order by min(connector_sweeps.id) desc nulls first, connector desc`,
  );
  for (const { connector } of rows) {
    for (let after = ""; ; ) {
      const page = await knex.raw(
        `select username from connector_people where connector = ? and username > ? order by username limit ?`,
        [connector, after, BATCH],
      );
      if (page.rows.length === 0) break;
      const names = page.rows.map(({ username }: { username: string }) => username);
      await knex.raw("update learners set owner = ? where username = any (?::text[])", [
        `connector:${connector}`,
        names,
      ]);
      after = names.at(-1);
    }
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table connector_pauses, connector_clashes");
  await knex.raw("alter table learners drop column owner");
}
