import { describe, expect, it } from "vitest";
import { inTransaction } from "#infrastructure/db/database.js";
import { type Db, query, withConnection } from "#infrastructure/db/query.js";
import { givenDatabase } from "../support/database.js";

const db = givenDatabase();
const { signal } = new AbortController();

/** All ways to run a statement. */
const runners: Record<string, <T>(work: (db: Db) => Promise<T>) => Promise<T>> = {
  "the pool": (work) => work(db.database.knex),
  "a transaction": (work) => inTransaction(db.database, signal, work),
  "a borrowed connection": (work) => withConnection(db.database, signal, work),
};

describe.each(Object.entries(runners))("a prepared statement on %s", (runner, on) => {
  const rowsOf = (sql: string, ...values: unknown[]) =>
    on(async (it) => (await query(it, "same label", sql, values)).rows);

  it("runs its own text, whatever ran under the same label before", async () => {
    expect(await rowsOf("select ?::integer as one", 1)).toEqual([{ one: 1 }]);
    expect(await rowsOf("select ?::integer + 1 as two", 1)).toEqual([{ two: 2 }]);
    expect(await rowsOf("select ?::integer as one", 3)).toEqual([{ one: 3 }]);
  });

  it("is planned once for each connection and text", async () => {
    const names = await on(async (it) => {
      for (const value of [1, 2, 3]) await query(it, "planned once", "select ?::integer as value", [value]);
      const sql = "select name from pg_prepared_statements where name like 'planned once%'";
      return (await query<{ name: string }>(it, "names", sql, [])).rows;
    });
    // On the pool, each statement may use a different connection.
    if (runner !== "the pool") expect(names).toHaveLength(1);
    else expect(names.length).toBeLessThanOrEqual(1);
  });

  it("may have the operator ? of jsonb, if that is escaped", async () => {
    const sql = "select ?::jsonb \\? 'key' as has, ?::jsonb \\?| array['a', 'b'] as some";
    expect(await rowsOf(sql, '{"key": 1}', '{"c": 1}')).toEqual([{ has: true, some: false }]);
    await expect(rowsOf("select ?::jsonb ? 'key' as has", "{}")).rejects.toThrow(
      "same label has 2 parameters and 1 values: write the operator ? as \\\\?",
    );
  });
});
