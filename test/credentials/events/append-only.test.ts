import { beforeAll, describe, expect, test } from "vitest";
import { removeOldEvents } from "#domain/credentials/events/remove-old-events.js";
import { verifyEventChain } from "#domain/credentials/events/verify-event-chain.js";
import { givenDatabase, givenEachDatabase } from "../../support/database.js";
import { append, seal } from "./chain.js";

const signal = new AbortController().signal;

const anchor = (position: number, hash = "hash") =>
  `insert into credential_event_anchors (position, hash)
   select position, ${hash} from credential_events where position = ${position}`;

/** The tests own the tables and the server, so privileges don't prevent anything. */
describe("the owner of the tables", () => {
  const db = givenDatabase();
  let before: object[];
  beforeAll(async () => {
    await seal(db.database.knex, 3);
    await append(db.database.knex, 2);
    before = await content();
  });

  const query = async (sql: string) => (await db.database.knex.raw(sql)).rows;
  const content = () =>
    query(
      "select * from credential_events natural full join unsealed_credential_events order by position, id",
    );

  test.each([
    "update credential_events set actor_id = 1",
    "update credential_events set hash = hash where false",
    "delete from credential_events",
    "delete from credential_events where position = 1",
    "delete from credential_events where position = 3",
    "truncate credential_events",
    "update unsealed_credential_events set configuration_id = 2",
    "delete from unsealed_credential_events",
    "delete from unsealed_credential_events where id = (select max(id) from unsealed_credential_events)",
    "truncate unsealed_credential_events",
    "update credential_event_anchors set position = 2",
    "delete from credential_event_anchors",
    "truncate credential_event_anchors",
    "update credential_event_head set position = 1",
    "update credential_event_head set hash = decode(repeat('00', 32), 'hex')",
    "delete from credential_event_head",
    "truncate credential_event_head",
    "delete from credential_event_actors",
    "truncate credential_event_actors cascade",
    "select remove_old_credential_events(0, 10)",
    `${anchor(2)}; delete from credential_events where position = 2`,
    `${anchor(2)}; delete from credential_events where position <= 1`,
    `${anchor(2)}; delete from credential_events where position <= 3`,
    `${anchor(2, "decode(repeat('00', 32), 'hex')")}; delete from credential_events where position <= 2`,
    `${anchor(3)}; delete from credential_events where position in (1, 3)`,
  ])("can't %s", async (sql) => {
    await expect(db.database.knex.transaction((transaction) => transaction.raw(sql))).rejects.toThrow(
      /is append-only: \w+ is refused|events are kept for a day at least/,
    );
    expect(await content()).toEqual(before);
  });

  test("can't append an event of an unknown actor, not even among others", async () => {
    const events = `insert into unsealed_credential_events (type, credential_uuid, configuration_id, actor_id, status_after)
      select 'issued', gen_random_uuid(), 1, actor_id, 'generating' from (select id from credential_event_actors`;
    await expect(query(`${events} union all select 4711) as actor (actor_id)`)).rejects.toThrow(
      "an actor is not in credential_event_actors",
    );
    expect(await content()).toEqual(before);
  });

  test("can't set an anchor now in order to remove events later", async () => {
    await query(anchor(2));
    await expect(query("delete from credential_events where position <= 2")).rejects.toThrow("append-only");
  });
});

describe("retention", () => {
  const db = givenEachDatabase();

  const query = async (sql: string) => (await db.database.knex.raw(sql)).rows;
  const positions = async () =>
    (await query("select position from credential_events order by position")).map(
      ({ position }: { position: number }) => position,
    );

  test("removes the oldest events, and returns their number", async () => {
    const { knex } = db.database;
    await seal(knex, 3, { daysAgo: 40 });
    await seal(knex, 2, { daysAgo: 20 });
    const [last] = await query("select hash from credential_events where position = 3");
    await removeOldEvents(knex, 30, signal);
    expect(await positions()).toEqual([4, 5]);
    expect(await query("select position, hash from credential_event_anchors")).toEqual([
      { position: 3, ...last },
    ]);
    await removeOldEvents(knex, 30, signal);
    expect(await positions()).toEqual([4, 5]);
    await removeOldEvents(knex, 10, signal);
    expect(await positions()).toEqual([]);
    await seal(knex, 2);
    expect(await positions()).toEqual([6, 7]);
    expect(await verifyEventChain(db.database, signal)).toEqual({
      events: 2,
      removedUpTo: 5,
      broken: undefined,
    });
  });

  test("keeps old events that follow a recent one", async () => {
    const { knex } = db.database;
    await seal(knex, 1, { daysAgo: 40 });
    await seal(knex, 1, { daysAgo: 20 });
    await seal(knex, 1, { daysAgo: 40 });
    await removeOldEvents(knex, 30, signal);
    expect(await positions()).toEqual([2, 3]);
  });

  test("works in several processes at once, for more than a batch", async () => {
    const { knex } = db.database;
    await seal(knex, 12_000, { daysAgo: 40 });
    await seal(knex, 1);
    await Promise.all([removeOldEvents(knex, 30, signal), removeOldEvents(knex, 30, signal), seal(knex, 2)]);
    await seal(knex, 3);
    expect(await positions()).toEqual([12_001, 12_002, 12_003, 12_004, 12_005, 12_006]);
    expect(await verifyEventChain(db.database, signal)).toEqual({
      events: 6,
      removedUpTo: 12_000,
      broken: undefined,
    });
  });
});
