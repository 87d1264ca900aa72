import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { describeFailure } from "#app/commands/failure.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { checkPooler, keepsSessions } from "#infrastructure/db/pooler.js";
import { type Db, query, withConnection } from "#infrastructure/db/query.js";
import { givenDatabase } from "../support/database.js";
import { isPgBouncerInstalled, type PgBouncer, startPgBouncer, versionOfPgBouncer } from "./pgbouncer.js";

const isInstalled = await isPgBouncerInstalled();
/** PgBouncer keeps prepared statements since 1.21, unless its settings disable this. */
const isOld = isInstalled && (await versionOfPgBouncer()) < 1.21;

describe.runIf(isInstalled)("through PgBouncer", () => {
  const db = givenDatabase();
  const opened: { bouncer: PgBouncer; database: Database }[] = [];
  async function open(
    mode: "session" | "transaction",
    directUrl?: string,
    settings = "max_prepared_statements = 0",
  ): Promise<Database> {
    const bouncer = await startPgBouncer(db.url, mode, isOld ? "" : settings);
    const database = openDatabase(bouncer.url, 10, undefined, directUrl);
    opened.push({ bouncer, database });
    return database;
  }
  let database: Database;
  beforeAll(async () => {
    database = await open("session");
  });
  afterAll(async () => {
    try {
      for (const { database } of opened) await database.close();
    } finally {
      for (const { bouncer } of opened) await bouncer.stop();
    }
  });

  test("in session mode, the database is migrated, and each connection keeps its session", async () => {
    await migrateUp(database);
    expect(await keepsSessions(database)).toBe(true);
  });

  test.each<[pool: string, limits: string, read: () => Promise<unknown>]>([
    ["changes", "1min 2s 0 off", () => database.knex.raw(LIMITS).then(({ rows }) => rows[0].limits)],
    [
      "public reads",
      "10s 1s 0 off",
      () => database.reads.knex.raw(LIMITS).then(({ rows }) => rows[0].limits),
    ],
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
    await expect.poll(napping).toBe(0);
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

  describe("in transaction mode", () => {
    test.each<[string, () => string | undefined, RegExp]>([
      [
        "a URL of the server",
        () => undefined,
        /changes sessions .* Set DATABASE_DIRECT_URL to the PostgreSQL/,
      ],
      [
        "the same database at that URL",
        () => inject("postgresUrl"),
        /DATABASE_DIRECT_URL leads to a different database than DATABASE_URL/,
      ],
    ])("the start is refused without %s", async (_, directUrl, expected) => {
      const refused = await open("transaction", directUrl());
      await expect(checkPooler(refused)).rejects.toMatchObject({
        kind: "failed-precondition",
        message: expect.stringMatching(expected),
      });
    });

    test("the start is refused if the URL of the server leads to a pooler as well", async () => {
      const bouncer = await startPgBouncer(db.url, "transaction");
      try {
        const refused = await open("transaction", bouncer.url);
        await expect(checkPooler(refused)).rejects.toThrow(
          /also leads to a connection pooler that changes sessions/,
        );
      } finally {
        await bouncer.stop();
      }
    });

    test("the start detects whether the pooler keeps prepared statements", async () => {
      const forgets = await open("transaction", db.url);
      await checkPooler(forgets);
      expect(forgets.sessions).toEqual({ arePersistent: false, arePrepared: false });
      const keeps = await open("session", db.url);
      await checkPooler(keeps);
      expect(keeps.sessions).toEqual({ arePersistent: false, arePrepared: true });
    });

    test("each of several processes that start together detects it", async () => {
      const { url } = await open("transaction", db.url);
      const together = Array.from({ length: 12 }, () => openDatabase(url, 10, undefined, db.url));
      try {
        await Promise.all(together.map(checkPooler));
        for (const { sessions } of together)
          expect(sessions).toEqual({ arePersistent: false, arePrepared: false });
      } finally {
        await Promise.all(together.map((each) => each.close()));
      }
    });

    test("the start reports which settings the role lacks, with statements that add them", async () => {
      const pooled = await open("transaction", db.url);
      const missing = await checkPooler(pooled);
      expect(missing.map(({ setting }) => setting)).toEqual([
        "statement_timeout",
        "lock_timeout",
        "idle_in_transaction_session_timeout",
        "max_parallel_workers_per_gather",
        "jit",
      ]);
      const name = new URL(db.url).pathname.slice(1);
      for (const { remedy } of missing) {
        expect(remedy).toMatch(/^alter role \w+ set \w+ = ('\d+s'|0|off)$/);
        // only in this test's own database
        await db.database.knex.raw(remedy.replace(" set ", ` in database ${name} set `));
      }
      expect(await checkPooler(await open("transaction", db.url))).toEqual([]);
    });

    test("a statement ends at the timeout of its role", async () => {
      const name = new URL(db.url).pathname.slice(1);
      await db.database.knex.raw(
        `alter role ${new URL(db.url).username} in database ${name} set statement_timeout = '700ms'`,
      );
      const pooled = await open("transaction", db.url);
      await expect(pooled.knex.raw(NAP)).rejects.toMatchObject({
        code: "57014",
        message: expect.stringContaining("statement timeout"),
      });
      await expect.poll(napping).toBe(0);
    });

    test("it is migrated by the URL of the server, and no statement depends on a session", async () => {
      const pooled = await open("transaction", db.url);
      await migrateUp(pooled);
      const named = (connection: Db) => query(connection, "named_here", "select 1 as one", []);
      await withConnection(pooled, new AbortController().signal, async (connection) => {
        expect((await named(connection)).rows).toEqual([{ one: 1 }]);
        await pooled.knex.transaction(async (other) => {
          expect((await named(other)).rows).toEqual([{ one: 1 }]);
          expect((await named(connection)).rows).toEqual([{ one: 1 }]);
        });
      });
    });

    test("a statement is cancelled when its caller leaves", async () => {
      const pooled = await open("transaction", db.url);
      const caller = new AbortController();
      const outcome = inTransaction(pooled, caller.signal, async (it) => it.raw(NAP)).catch((error) => error);
      await expect.poll(napping).toBe(1);
      caller.abort(new Error("the caller has left"));
      expect(await outcome).toMatchObject({ code: "57014" });
      await expect.poll(napping).toBe(0);
    });
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
const LIMITS = `select concat_ws(' ', ${[
  "statement_timeout",
  "lock_timeout",
  "max_parallel_workers_per_gather",
  "jit",
]
  .map((name) => `current_setting('${name}')`)
  .join(", ")}) as limits`;
