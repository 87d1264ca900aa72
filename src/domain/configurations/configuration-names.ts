import { type Knex, queryRows } from "#infrastructure/db/query.js";

export interface ConfigurationNames {
  readonly credentialTypeName: string;
  /** Empty if the course or learning path has no record. */
  readonly learningContextName: string;
}

export async function findConfigurationNames(
  db: Knex,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ConfigurationNames>> {
  const rows = await queryRows<ConfigurationNames & { readonly id: number }>(
    db,
    `select configuration.id, type.name as "credentialTypeName",
       coalesce(course.display_name, path.display_name, '') as "learningContextName"
     from credential_configurations configuration
     join credential_types type on type.id = credential_type_id
     left join courses course on course_key = learning_context_key and not course.is_deleted
     left join learning_paths path on path_key = learning_context_key and not path.is_deleted
     where configuration.id = any (?::integer[])`,
    [ids],
  );
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}
