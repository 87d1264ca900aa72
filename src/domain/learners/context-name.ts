import { type Knex, queryRow } from "#infrastructure/db/query.js";

export async function findContextName(db: Knex, learningContextKey: string): Promise<string | undefined> {
  const row = await queryRow<{ name: string }>(
    db,
    `select display_name as name from courses where course_key = :key and not is_deleted
     union all
     select display_name from learning_paths where path_key = :key and not is_deleted`,
    { key: learningContextKey },
  );
  return row?.name;
}
