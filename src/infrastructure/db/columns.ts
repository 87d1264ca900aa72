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

/** How a field is stored. Without any of these: as it is, in the column of its name. */
export interface Column {
  readonly name?: string;
  /** SQL: the field, computed from the column. */
  readonly read?: string;
  /** SQL: the column, computed from the field, which has the column's name. */
  readonly write?: string;
}

/** The columns that store the fields of a resource. Statements take their lists of columns from here. */
export interface Columns<Row extends object> {
  readonly fields: readonly (keyof Row & string)[];
  /** SQL: the names of the columns. */
  readonly names: string;
  /** SQL: what queries for `Row` select. */
  readonly selected: string;
  /** SQL: a subquery with the columns of one row, which is bound to the parameter as `json` returns it. */
  parameterOf(parameter: string): string;
  json(row: Partial<Row>): string;
  /** Returns these fields alone. */
  pick(row: Row): Row;
}

/** @param columns a column for each field of `Row`: the compiler names those that are missing */
export function columnsOf<Row extends object>(
  table: string,
  columns: Readonly<Record<keyof Row, Column>>,
): Columns<Row> {
  const fields = Object.keys(columns) as (keyof Row & string)[];
  const nameOf = (field: keyof Row & string) => columns[field].name ?? columnOf(field);
  const list = (of: (field: keyof Row & string) => string) => fields.map(of).join(", ");
  const values = list((field) => columns[field].write ?? nameOf(field));
  return {
    fields,
    names: list(nameOf),
    selected: list((field) => `${columns[field].read ?? nameOf(field)} as "${field}"`),
    parameterOf: (parameter) =>
      `(select ${values} from jsonb_populate_record(null::${table}, cast(${parameter} as jsonb)))`,
    json: (row) => JSON.stringify(Object.fromEntries(fields.map((field) => [nameOf(field), row[field]]))),
    pick: (row) => Object.fromEntries(fields.map((field) => [field, row[field]])) as Row,
  };
}
