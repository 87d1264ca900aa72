import type { Knex } from "knex";
import pg from "pg";

/** A table that would lose data, with the number of rows. */
export interface Loss {
  readonly table: string;
  /** The columns that are dropped; undefined if the whole table is dropped. */
  readonly columns?: readonly string[];
  readonly rows: number;
}

interface Column {
  readonly table: string;
  readonly column: string;
}

/**
 * Makes the change, and rolls it back. Returns the tables whose rows would be deleted or lose columns, largest first.
 */
export async function findLosses(
  knex: Knex,
  change: (transaction: Knex.Transaction) => Promise<unknown>,
): Promise<Loss[]> {
  const before = await columnsOf(knex);
  const remaining = new Set<string>();
  const transaction = await knex.transaction();
  try {
    await change(transaction);
    for (const each of await columnsOf(transaction)) remaining.add(keyOf(each)).add(each.table);
  } finally {
    await transaction.rollback();
  }
  const lost = before.filter((each) => !remaining.has(keyOf(each)));
  const losses: Loss[] = [];
  for (const table of new Set(lost.map((each) => each.table))) {
    const { rows } = await knex.raw(`select count(*)::float8 as rows from ${pg.escapeIdentifier(table)}`);
    if (rows[0].rows === 0) continue;
    const columns = lost.flatMap((each) => (each.table === table ? [each.column] : []));
    losses.push({ table, rows: rows[0].rows, ...(remaining.has(table) && { columns }) });
  }
  return losses.sort((one, other) => other.rows - one.rows);
}

async function columnsOf(knex: Knex): Promise<Column[]> {
  const { rows } = await knex.raw(
    `select relname as table, attname as column
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  return rows;
}

function keyOf({ table, column }: Column): string {
  return `${table}.${column}`;
}
