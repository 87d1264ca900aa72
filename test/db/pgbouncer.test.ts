import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeFailure } from "../../src/commands/failure.js";
import { type Database, openDatabase } from "../../src/db/database.js";
import { migrateUp } from "../../src/db/migrate.js";
import { keepsSessions } from "../../src/db/pooler.js";
import { query, withConnection } from "../../src/db/query.js";
import { inTransaction } from "../../src/db/transaction.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { isPgBouncerInstalled, type PgBouncer, startPgBouncer } from "./pgbouncer.js";

describe.runIf(await isPgBouncerInstalled())("through PgBouncer", () => {
  let db: TestDatabase;
  const opened: { bouncer: PgBouncer; database: Database }[] = [];
  async function open(mode: "session" | "transaction"): Promise<Database> {
    const bouncer = await startPgBouncer(db.url, mode);
    const database = openDatabase(bouncer.url, 10);
    opened.push({ bouncer, database });
    return database;
  }
  let database: Database;
  beforeAll(async () => {
    db = await createTestDatabase();
    database = await open("session");
  });
  afterAll(async () => {
    try {
      for (const { database } of opened) await database.close();
    } finally {
      for (const { bouncer } of opened) await bouncer.stop();
    }
    await db.drop();
  });

  test("in session mode, the database is migrated, and each connection keeps its session", async () => {
    await migrateUp(database);
    expect(await keepsSessions(database)).toBe(true);
  });

  test.each<[pool: string, limits: string, read: () => Promise<unknown>]>([
    ["changes", "1min 2s", () => database.knex.raw(LIMITS).then(({ rows }) => rows[0].limits)],
    ["public reads", "10s 1s", () => database.reads.knex.raw(LIMITS).then(({ rows }) => rows[0].limits)],
  ])("connections for %s have their limits: %s", async (_, limits, read) => {
    expect(await read()).toBe(limits);
  });

  test.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    [
      "on a borrowed connection",
      (signal) =>
        withConnection(database, signal, (connection) => query(connection, "nap_through_pgbouncer", NAP, [])),
    ],
    ["in a transaction", (signal) => inTransaction(database, signal, async (it) => it.raw(NAP))],
  ])("a statement %s is cancelled when its caller leaves", async (_, work) => {
    const caller = new AbortController();
    const outcome = work(caller.signal).catch((error) => error);
    const tooEarly = outcome.then((error) => expect.unreachable(`it has ended before: ${error}`));
    await Promise.race([expect.poll(napping).toBe(1), tooEarly]);
    tooEarly.catch(() => {});
    caller.abort(new Error("the caller has left"));
    expect(await outcome).toMatchObject({ code: "57014" });
    expect(await napping()).toBe(0);
  });

  test("if it refuses a startup parameter, the error gives the remedy", async () => {
    const url = new URL(database.url);
    url.searchParams.set("options", "-c search_path=public");
    const refused = openDatabase(url.href, 2);
    const failure = await refused.knex.raw("select 1").catch((error) => error);
    expect(describeFailure(failure, url.href).text).toMatch(
      /unsupported startup parameter: options: a connection pooler .* ignore_startup_parameters\.$/,
    );
    await refused.close();
  });

  test("in transaction mode, the service detects it", async () => {
    expect(await keepsSessions(await open("transaction"))).toBe(false);
  });

  async function napping(): Promise<number> {
    const { rows } = await db.database.knex.raw(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and state = 'active' and query like ? and pid <> pg_backend_pid()",
      ["%from pg_sleep(%"],
    );
    return rows[0].count;
  }
});

const NAP = "select 1 from pg_sleep(30)";
const LIMITS =
  "select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') as limits";
