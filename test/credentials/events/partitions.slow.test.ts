import type { Knex } from "knex";
import { beforeEach, describe, expect, test } from "vitest";
import { readBounds, readEvents } from "#domain/credentials/events/event-store.js";
import { removeOldEvents } from "#domain/credentials/events/remove-old-events.js";
import { sealEvents } from "#domain/credentials/events/seal-events.js";
import { verifyEventChain } from "#domain/credentials/events/verify-event-chain.js";
import { givenEachDatabase } from "../../support/database.js";
import { append, seal } from "./chain.js";

const signal = new AbortController().signal;

const db = givenEachDatabase();
let knex: Knex;
beforeEach(async () => {
  knex = db.database.knex;
});

const query = async (sql: string, bindings: Knex.RawBinding[] = []) => (await knex.raw(sql, bindings)).rows;

/** Makes partitions of ten events, as if no event had ever been sealed. */
async function inTens(): Promise<void> {
  await knex.raw(
    "create or replace function credential_events_per_partition() returns bigint language sql immutable as 'select 10::bigint'",
  );
  await knex.raw("alter table credential_events detach partition credential_events_from_1");
  await knex.raw("drop table credential_events_from_1");
}

/** Returns the first position and the number of events of each partition. */
async function partitions(): Promise<[first: number, events: number][]> {
  const rows = await query("select name, first from credential_event_partitions()");
  return Promise.all(
    rows.map(async ({ name, first }: { name: string; first: number }) => {
      const [{ count }] = await query(`select count(*)::int as count from ${name}`);
      return [Number(first), count];
    }),
  );
}

const intact = (events: number, removedUpTo = 0) => ({ events, removedUpTo, broken: undefined });

test("events fill one partition after the other, and the next is always there", async () => {
  await inTens();
  expect(await partitions()).toEqual([]);
  await seal(knex, 3);
  expect((await partitions())[0]).toEqual([1, 3]);
  await append(knex, 25);
  while ((await sealEvents(knex, 4)) > 0);
  expect(await partitions()).toEqual([
    [1, 10],
    [11, 10],
    [21, 8],
    [31, 0],
  ]);
  expect(await verifyEventChain(db.database, signal)).toEqual(intact(28));
  expect((await readEvents(knex, 8)).map(({ position }) => position)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 9),
  );
});

test("a reader of a cursor opens only the partition of its next events", async () => {
  await inTens();
  await append(knex, 2000);
  await knex.raw(
    "create or replace function credential_events_per_partition() returns bigint language sql immutable as 'select 1500::bigint'",
  );
  await seal(knex, 4000);
  const sizes = await partitions();
  expect(sizes.length).toBeGreaterThan(3);
  const opened = async (sql: string) => {
    const lines: Record<string, string>[] = await query(`explain ${sql}`);
    const text = lines.map((line) => line["QUERY PLAN"]).join("\n");
    return new Set(text.match(/credential_events_from_\d+(?= )/g)).size;
  };
  expect(
    await opened(
      "select * from credential_events where position > 3100 and position <= 3200 order by position",
    ),
  ).toBe(1);
  expect(await opened("select * from credential_events where position = 3100")).toBe(1);
});

test("while a lock keeps the table from changing, events are sealed as long as there is room", async () => {
  await inTens();
  await seal(knex, 4);
  const before = await partitions();
  const other = await knex.transaction();
  try {
    await other.raw("lock table credential_events in share update exclusive mode");
    await append(knex, 3);
    const sealed = knex.transaction(async (transaction) => {
      await transaction.raw("set local lock_timeout = '50ms'");
      return sealEvents(transaction, 3);
    });
    expect(await sealed).toBe(3);
  } finally {
    await other.rollback();
  }
  expect((await partitions()).length).toBe(before.length);
  await seal(knex, 20);
  expect(await verifyEventChain(db.database, signal)).toEqual(intact(27));
});

describe("retention", () => {
  test("drops the partitions whose events are all old, and removes the other old ones", async () => {
    await inTens();
    await seal(knex, 25, { daysAgo: 40 });
    await seal(knex, 10);
    await removeOldEvents(knex, 30, signal);
    expect(await partitions()).toEqual([
      [21, 5],
      [31, 5],
    ]);
    expect(await readBounds(knex)).toEqual({ last: 35, removedUpTo: 25 });
    expect(await verifyEventChain(db.database, signal)).toEqual(intact(10, 25));
  });

  test("removes them one by one while the table is being read", async () => {
    await inTens();
    await seal(knex, 25, { daysAgo: 40 });
    await seal(knex, 1);
    const reader = await knex.transaction();
    await reader.raw("select from credential_events");
    await removeOldEvents(knex, 30, signal);
    await reader.rollback();
    expect((await partitions()).slice(0, 3)).toEqual([
      [1, 0],
      [11, 0],
      [21, 1],
    ]);
    await removeOldEvents(knex, 30, signal);
    expect((await partitions())[0]).toEqual([21, 1]);
    expect(await verifyEventChain(db.database, signal)).toEqual(intact(1, 25));
  });

  test("keeps a partition with one recent event", async () => {
    await inTens();
    await seal(knex, 5, { daysAgo: 40 });
    await seal(knex, 1);
    await seal(knex, 14, { daysAgo: 40 });
    await removeOldEvents(knex, 30, signal);
    expect((await partitions()).slice(0, 2)).toEqual([
      [1, 5],
      [11, 10],
    ]);
  });
});

test.each([
  "update credential_events_from_11 set actor_id = 1",
  "delete from credential_events_from_11",
  "delete from credential_events_from_1 where position = 3",
  "truncate credential_events_from_1",
  "insert into credential_event_anchors select position, hash from credential_events where position = 15; " +
    "delete from credential_events_from_11 where position <= 15",
])("a partition itself is append-only, too: %s", async (sql) => {
  await inTens();
  await seal(knex, 17);
  await expect(knex.transaction((transaction) => transaction.raw(sql))).rejects.toThrow(/is append-only/);
  expect(await verifyEventChain(db.database, signal)).toEqual(intact(17));
});
