import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Database, inSnapshot, inTransaction, streamSnapshot } from "#infrastructure/db/database.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { query, withConnection } from "#infrastructure/db/query.js";
import { givenDatabase } from "../support/database.js";

const db = givenDatabase();
let database: Database;
beforeAll(async () => {
  database = db.database;
});

/** Expects that all connections have been returned to the pool. */
afterEach(() => expect(database.knex.client.pool.numUsed()).toBe(0));

/** A statement that takes too long for any caller. */
const SLOW = "select pg_sleep(1000)";

/** The functions under test, each as a way to run a statement. */
const ways: Record<string, (sql: string, signal: AbortSignal) => Promise<unknown>> = {
  inTransaction: (sql, signal) => inTransaction(database, signal, async (it) => it.raw(sql)),
  inSnapshot: (sql, signal) => inSnapshot(database, signal, async (it) => it.raw(sql)),
  withConnection: (sql, signal) =>
    withConnection(database, signal, (connection) => query(connection, `test ${sql}`, sql, [])),
  "streamSnapshot, preparing": (sql, signal) =>
    all(
      streamSnapshot(database, signal, 1, async (it) => {
        await it.raw(sql);
        return { sql, bindings: [] };
      }),
    ),
  "streamSnapshot, fetching": (sql, signal) =>
    all(streamSnapshot(database, signal, 1, async () => ({ sql, bindings: [] }))),
};

async function all<T>(batches: AsyncIterable<T[]>): Promise<T[]> {
  const rows: T[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

/** Returns the number of statements and transactions of this service that are in progress. */
async function inProgress(): Promise<number> {
  const { rows } = await database.knex.raw(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  );
  return rows[0].count;
}

describe.each(Object.entries(ways))("%s", (_, work) => {
  it("returns the result of the statement", async () => {
    const answer = await work("select 1 as one", new AbortController().signal);
    expect(Array.isArray(answer) ? answer : (answer as { rows: unknown }).rows).toEqual([{ one: 1 }]);
  });

  it("has its statement cancelled immediately when the signal aborts", async () => {
    const abort = new AbortController();
    const outcome = work(SLOW, abort.signal).then(
      () => "done",
      () => "failed",
    );
    await expect.poll(inProgress).toBe(1);
    abort.abort(new Error("nobody waits"));
    expect(await outcome).toBe("failed");
    expect(await inProgress()).toBe(0);
  });

  it("sends nothing when the signal was already aborted", async () => {
    await expect(work("select 1", AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
    expect(await inProgress()).toBe(0);
  });

  it("returns the connection to the pool when the statement fails", async () => {
    await expect(work("select 1/0", new AbortController().signal)).rejects.toThrow("division by zero");
  });
});

it.each(["inTransaction", "withConnection"])(
  "%s cancels a statement that begins after the abort",
  async (way) => {
    const abort = new AbortController();
    const both = async (raw: (sql: string) => Promise<unknown>) => {
      await raw("select 1");
      abort.abort(new Error("nobody waits"));
      await new Promise((resolve) => setTimeout(resolve, 20)); // the first cancellation finds nothing to cancel
      await raw(SLOW);
    };
    const working =
      way === "withConnection"
        ? withConnection(database, abort.signal, (connection) =>
            both((sql) => query(connection, `test ${sql}`, sql, [])),
          )
        : inTransaction(database, abort.signal, (it) => both(async (sql) => it.raw(sql)));
    await expect(working).rejects.toThrow();
    expect(await inProgress()).toBe(0);
  },
);

describe("streams", () => {
  it("are limited in number, so that their readers can't take all connections", async () => {
    const narrow = openDatabase(db.url, 4);
    const { signal } = new AbortController();
    const open = () => streamSnapshot(narrow, signal, 1, async () => ({ sql: "select 1", bindings: [] }));
    const streams = [open(), open(), open()] as const;
    await streams[0].next();
    await streams[1].next();
    await expect(streams[2].next()).rejects.toMatchObject({ kind: "overloaded", retryAfter: 10 });
    await withConnection(narrow, signal, (connection) => query(connection, "one", "select 1", []));
    await streams[0].return(undefined);
    expect(await all(open())).toHaveLength(1);
    await streams[1].return(undefined);
    await narrow.close();
  });

  it("end when their connection is lost, and release everything", async () => {
    const { signal } = new AbortController();
    const stream = streamSnapshot(database, signal, 1, async () => ({
      sql: "select pg_backend_pid() as pid from generate_series(1, 3)",
      bindings: [],
    }));
    const [row] = (await stream.next()).value as { pid: number }[];
    await withConnection(database, signal, (connection) =>
      query(connection, "kill", "select pg_terminate_backend(?, 1000)", [row?.pid]),
    );
    await expect(stream.next()).rejects.toThrow();
    expect(
      await all(streamSnapshot(database, signal, 1, async () => ({ sql: "select 1", bindings: [] }))),
    ).toHaveLength(1);
  });
});

describe("a transaction", () => {
  it("is rolled back when the signal aborts between two statements, and during the last one", async () => {
    await database.knex.raw("create table marks (mark text)");
    for (const when of ["between", "last"]) {
      const abort = new AbortController();
      const marking = inTransaction(database, abort.signal, async (transaction) => {
        await transaction("marks").insert({ mark: when });
        abort.abort(new Error("nobody waits"));
        if (when === "between") await transaction("marks").insert({ mark: when });
      });
      await expect(marking).rejects.toThrow();
      expect(await database.knex("marks")).toEqual([]);
    }
  });

  it("for reading can't write, and sees one snapshot", async () => {
    await database.knex.raw("create table facts as select 1 as fact");
    const { signal } = new AbortController();
    await expect(inSnapshot(database, signal, (it) => it.raw("delete from facts"))).rejects.toThrow(
      "read-only",
    );
    const seen = await inSnapshot(database, signal, async (it) => {
      const before = await it("facts");
      await database.knex("facts").insert({ fact: 2 });
      return [before.length, (await it("facts")).length];
    });
    expect(seen).toEqual([1, 1]);
  });
});

it("never cancels the next statement on the same connection, however late the abort", async () => {
  const narrow = openDatabase(db.url, 1);
  const outcomes = new Set<string>();
  for (let round = 0; round < 150; round++) {
    const abort = new AbortController();
    const first = withConnection(narrow, abort.signal, (connection) =>
      query(connection, "nap", "select pg_sleep(0.002)", []),
    );
    if (round % 5 > 0) setTimeout(() => abort.abort(), round % 5);
    else void first.finally(() => abort.abort()); // aborts after the end on any machine
    outcomes.add(
      await first.then(
        () => "done",
        () => "cancelled",
      ),
    );
    const next = await withConnection(narrow, new AbortController().signal, (connection) =>
      query<{ round: number }>(connection, "next", "select ?::int as round from pg_sleep(0.001)", [round]),
    );
    expect(next.rows).toEqual([{ round }]);
  }
  await narrow.close();
  expect(outcomes).toEqual(new Set(["done", "cancelled"]));
});

it("gives each statement one process of the server, whatever its settings are", async () => {
  const { rows } = await database.knex.raw("select current_database() as name");
  await database.knex.raw("alter database ?? set max_parallel_workers_per_gather = 2", [rows[0].name]);
  const fresh = openDatabase(db.url);
  for (const pool of [fresh, fresh.reads]) {
    const setting = await pool.knex.raw("show max_parallel_workers_per_gather");
    expect(setting.rows).toEqual([{ max_parallel_workers_per_gather: "0" }]);
  }
  await fresh.close();
});
