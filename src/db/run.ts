import type { Knex } from "knex";

/** What a statement gave: its rows, and how many it returned or changed. */
export interface Result<Row> {
  readonly rows: Row[];
  readonly rowCount: number;
}

/**
 * Runs a statement under a name: each connection parses and plans it once. `sql` marks its parameters with `?`.
 * One name must always stand for the same text.
 */
export async function run<Row>(
  db: Knex,
  name: string,
  sql: string,
  bindings: readonly unknown[],
): Promise<Result<Row>> {
  return db.raw(sql, bindings as Knex.RawBinding[]).options({ name });
}
