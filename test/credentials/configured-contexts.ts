import type { Knex } from "knex";

/**
 * Configures one credential type for each of these courses or paths. Only uses SQL, because the functions of the type
 * don't exist.
 */
export async function configureContexts(knex: Knex, keys: readonly string[]): Promise<void> {
  await knex.raw(
    `with type as (
       insert into credential_types (name, retrieval_func, generation_func, custom_options) values ('t', 'r', 'g', '{}')
       returning id
     )
     insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
     select key, type.id, '{}' from type cross join unnest(?::text[]) as key`,
    [keys as unknown as string[]],
  );
}
