import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import { query, withConnection } from "#infrastructure/db/query.js";
import { openProxy } from "../jobs/tcp-proxy.js";
import { givenDatabase } from "../support/database.js";

const { signal } = new AbortController();
const OUT_OF_REACH = "The database is unavailable: try again later.";
const NO_SPACE = "The database has no space left on its disk: try again later.";
const BUSY = "The database is too busy: try again later.";
const READ_ONLY = "The database is read-only at the moment: try again later.";

const db = givenDatabase();
let database: Database;
beforeAll(async () => {
  database = db.database;
  await database.knex.raw(`
    create table marks (mark int primary key);
    create table fault_rows (id int primary key, touched int not null);
    insert into fault_rows values (1, 0), (2, 0);
    create sequence faults;
    create function fail() returns trigger language plpgsql as $$
      begin
        if nextval('faults') > tg_argv[1]::int then return new; end if;
        if tg_argv[0] <> 'lost' then raise exception 'a fault' using errcode = tg_argv[0]; end if;
        perform pg_terminate_backend(pg_backend_pid());
        return new;
      end $$`);
});

beforeEach(reset);

async function reset(): Promise<void> {
  await inTransaction(database, signal, (transaction) =>
    transaction.raw("truncate marks; drop trigger if exists faulty on marks; alter sequence faults restart"),
  );
}

/** Makes the insertion of a mark, or the commit after it, fail this many times. */
async function arrange(code: string, times: number, when: "immediate" | "deferred"): Promise<void> {
  await database.knex.raw(
    `create constraint trigger faulty after insert on marks deferrable initially ${when}
     for each row execute function fail('${code}', '${times}')`,
  );
}

/**
 * Writes one mark.
 * @returns the number of attempts, whether the mark is stored, and the result for the caller
 */
async function write(on = database) {
  let runs = 0;
  const reported = await inTransaction(on, signal, async (transaction) => {
    runs++;
    await transaction("marks").insert({ mark: 1 });
  }).then(
    () => "done",
    (error) => describeOutage(error) ?? "internal error",
  );
  return { runs, told: reported, written: await marks() };
}

async function marks(): Promise<number> {
  const { rows } = await withConnection(database, signal, (connection) =>
    query(connection, "marks", "select from marks", []),
  );
  return rows.length;
}

/** Changes a setting for new connections. */
async function alter(change: string): Promise<void> {
  const name = new URL(db.url).pathname.slice(1);
  const admin = new pg.Client({ connectionString: db.url, options: "-c default_transaction_read_only=off" });
  await admin.connect();
  await admin.query(`alter database ${name} ${change}`);
  await admin.end();
}

describe("a transaction", () => {
  it.each<
    [
      fault: string,
      code: string,
      times: number,
      when: "immediate" | "deferred",
      runs: number,
      reported: string,
    ]
  >([
    ["a serialization failure", "40001", 2, "immediate", 3, "done"],
    ["a serialization failure at the commit", "40001", 2, "deferred", 3, "done"],
    ["a serialization failure without end", "40001", 99, "immediate", 5, BUSY],
    ["a deadlock", "40P01", 2, "immediate", 3, "done"],
    ["a deadlock without end", "40P01", 99, "deferred", 5, BUSY],
    ["a lost connection", "lost", 1, "immediate", 2, "done"],
    ["a lost connection at the commit", "lost", 1, "deferred", 1, OUT_OF_REACH],
    ["a lock timeout", "55P03", 99, "immediate", 1, BUSY],
    ["a statement timeout", "57014", 99, "immediate", 1, BUSY],
    ["a server that has become read-only", "25006", 2, "immediate", 3, "done"],
    ["a server that stays read-only", "25006", 99, "immediate", 5, READ_ONLY],
    ["a full disk", "53100", 99, "immediate", 1, NO_SPACE],
    ["no memory", "53200", 99, "deferred", 1, BUSY],
    ["a defect of the service", "23505", 99, "immediate", 1, "internal error"],
  ])("with %s", async (_, code, times, when, runs, reported) => {
    await arrange(code, times, when);
    expect(await write()).toEqual({ runs, told: reported, written: reported === "done" ? 1 : 0 });
    await reset();
    expect(await write()).toEqual({ runs: 1, told: "done", written: 1 });
  });

  it("that was chosen in a deadlock of two is repeated, and both commit", async () => {
    const touch = (first: number, second: number) =>
      inTransaction(database, signal, async (transaction) => {
        await transaction("fault_rows").where({ id: first }).increment("touched");
        await meet();
        await transaction("fault_rows").where({ id: second }).increment("touched");
      });
    let present = 0;
    const meet = async () => {
      present++;
      await expect.poll(() => present).toBeGreaterThan(1);
    };
    await Promise.all([touch(1, 2), touch(2, 1)]);
    expect(present).toBeGreaterThan(2);
    expect(await database.knex("fault_rows").select("touched")).toEqual([{ touched: 2 }, { touched: 2 }]);
  });

  it("fails while a lock can't be acquired in time, and succeeds later", async () => {
    await alter("set lock_timeout = '50ms'");
    const impatient = openDatabase(db.url, 2);
    await database.knex.transaction(async (transaction) => {
      await transaction.raw("lock table marks in share mode");
      const writing = inTransaction(impatient, signal, (it) => it("marks").insert({ mark: 1 }));
      expect(await writing.catch(describeOutage)).toBe(BUSY);
    });
    await alter("reset lock_timeout");
    expect(await write(impatient)).toMatchObject({ told: "done" });
    await impatient.close();
  });

  it("fails while the database is read-only, and succeeds later", async () => {
    await alter("set default_transaction_read_only = on");
    const demoted = openDatabase(db.url, 2);
    expect(await write(demoted)).toEqual({ runs: 1, told: READ_ONLY, written: 0 });
    await alter("reset default_transaction_read_only");
    await endAllConnections(); // open sessions would keep the old setting
    expect(await write(demoted)).toMatchObject({ told: "done", written: 1 });
    await demoted.close();
  });
});

/** Ends all connections, like a restart. When this resolves, the service has not noticed it yet. */
async function endAllConnections(): Promise<void> {
  const killer = openDatabase(db.url, 1);
  await killer.knex.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await killer.close();
}

/** Fills the pool with idle connections. */
async function warm(on: Database): Promise<void> {
  await Promise.all(
    Array.from({ length: 10 }, () =>
      withConnection(on, signal, (connection) => query(connection, "nap", "select pg_sleep(0.05)", [])),
    ),
  );
}

it("after all connections were ended, the next statements use new ones", async () => {
  for (let round = 0; round < 5; round++) {
    await warm(database);
    await endAllConnections();
    const answers = await Promise.all([
      withConnection(database, signal, (connection) => query(connection, "one", "select 1 as one", [])),
      inTransaction(database, signal, async (transaction) => transaction.raw("select 1 as one")),
    ]);
    expect(answers.map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  }
});

it("a read whose connection ends while it runs is repeated", async () => {
  const reading = withConnection(database, signal, (connection) =>
    query<{ one: number }>(connection, "slow one", "select 1 as one from pg_sleep(0.3)", []),
  );
  await expect.poll(() => database.knex.client.pool.numUsed()).toBe(1);
  await endAllConnections();
  expect((await reading).rows).toEqual([{ one: 1 }]);
});

it("while no server listens it fails immediately, and recovers when one does", async () => {
  const proxy = await openProxy(db.url);
  const remote = openDatabase(proxy.url, 2);
  await warm(remote);
  proxy.cut();
  const started = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, () =>
      withConnection(remote, signal, (connection) => query(connection, "one", "select 1", [])).catch(
        describeOutage,
      ),
    ),
  );
  expect(new Set(outcomes)).toEqual(new Set([OUT_OF_REACH]));
  expect(performance.now() - started).toBeLessThan(5_000);
  await proxy.mend();
  await warm(remote);
  await remote.close();
  proxy.cut();
});

it("a full pool queues a bounded number of callers, and refuses others immediately", async () => {
  const narrow = openDatabase(db.url, 2);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const holders = [1, 2].map(() => withConnection(narrow, signal, () => held));
  await expect.poll(() => narrow.knex.client.pool.numUsed()).toBe(2);
  const read = () => withConnection(narrow, signal, (connection) => query(connection, "one", "select 1", []));
  const waiting = Array.from({ length: 200 }, read);
  await expect(read()).rejects.toMatchObject({ kind: "overloaded", retryAfter: 1 });
  letGo();
  await Promise.all([...holders, ...waiting]);
  await read();
  await narrow.close();
});
