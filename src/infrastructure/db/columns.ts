import type { Query } from "./transaction.js";

/** Returns the column of a field: `fileKey` is `file_key`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the values by column. */
export function byColumn(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [columnOf(field), value]));
}

/** Returns the statement that inserts a row with these values. Its columns have the types of the table. */
export function insertion(table: string, values: Readonly<Record<string, unknown>>): Query {
  const row = byColumn(values);
  const columns = Object.keys(row).join(", ");
  return {
    sql: `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, ?::jsonb)`,
    bindings: [JSON.stringify(row)],
  };
}
