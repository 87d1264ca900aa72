import type { Query } from "./database.js";

export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the values by column name. */
export function byColumn(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [columnOf(field), value]));
}

/** Returns the statement that inserts a row. The table determines the types. */
export function insertion(table: string, values: Readonly<Record<string, unknown>>): Query {
  const row = byColumn(values);
  const columns = Object.keys(row).join(", ");
  return {
    sql: `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, ?::jsonb)`,
    bindings: [JSON.stringify(row)],
  };
}

/** How a field is stored. By default, it is stored unchanged in the column of the same name. */
interface Column {
  readonly name?: string;
  /** SQL that computes the field from the column. */
  readonly read?: string;
  /** SQL that computes the column from the field, which is available under the column's name. */
  readonly write?: string;
}

/** The columns for the fields of a resource, from which statements derive their column lists. */
export interface Columns<Row extends object> {
  readonly fields: readonly (keyof Row & string)[];
  /** SQL: the list of the columns. */
  readonly names: string;
  /** SQL: the select list for `Row`. */
  readonly selected: string;
  /** SQL: a subquery with one row of these columns. The value of `parameter` must be the result of `json`. */
  parameterOf(parameter: string): string;
  json(row: Partial<Row>): string;
  /** Returns a copy of the row with only these fields. */
  pick(row: Row): Row;
}

/** @param columns one for each field of `Row`; otherwise, the code doesn't compile */
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
