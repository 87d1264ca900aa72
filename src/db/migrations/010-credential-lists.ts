import type { Knex } from "knex";

/**
 * Lists by status: the few that failed, were invalidated or are being made are found among the many that are available,
 * of all, of a context, or of a configuration. Those being made are in one of the indexes only: issuing stays as fast,
 * and there are never many.
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
