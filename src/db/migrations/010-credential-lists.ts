import type { Knex } from "knex";

/**
 * Creates indexes for lists by status. They find the few failed, invalidated or generating credentials among
 * the many available ones: of all, of a context, or of a configuration. Only one index includes generating
 * credentials: there are never many, and issuing stays fast.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index credentials_by_status on credentials (status, id) where status <> 'available';
    create index credentials_by_context_and_status on credentials (learning_context_key, status, id)
      where status in ('error', 'invalidated');
    create index credentials_by_configuration_and_status on credentials (configuration_id, status, id)
      where status in ('error', 'invalidated');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    "drop index credentials_by_status, credentials_by_context_and_status, credentials_by_configuration_and_status",
  );
}
