import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  completion,
  each,
  errorOf,
  givenPlatform,
  grade,
  learner,
  NOON,
  newUsername,
  observed,
} from "./platform.js";

const platform = givenPlatform();

describe.each(["Connect", "gRPC"] as const)("a stream of records over %s", (transport) => {
  it("is counted as one call", async () => {
    const [a, b, c] = [newUsername(), newUsername(), newUsername()];
    const { summary, rejected } = await platform.transports[transport].importRecords(
      each(
        { records: [learner(a), learner(b)].map((it) => observed(it, NOON)) },
        {},
        { records: [observed(learner(a), NOON), learner(c)] },
      ),
    );
    expect(summary).toMatchObject({ received: 4, written: 3, unchanged: 1, rejected: 0 });
    expect(rejected).toEqual([]);
  });

  it("is written in few transactions, however small its messages", async () => {
    const usernames = Array.from({ length: 200 }, newUsername);
    const messages = usernames.map((username) => ({ records: [learner(username)] }));
    const { summary } = await platform.transports[transport].importRecords(each(...messages));
    expect(summary).toMatchObject({ received: 200, written: 200 });
    const { rows } = await platform.service.app.database.knex.raw(
      "select count(distinct xmin::text) from learners where username = any(?)",
      [usernames],
    );
    expect(rows[0].count).toBeLessThan(200);
  });

  it("counts a fact each time a message repeats it", async () => {
    const username = newUsername();
    const messages = Array.from({ length: 40 }, (_, index) => ({
      records: [observed(grade(username, { earned: index % 10 }), NOON + index), learner(newUsername())],
    }));
    const { summary } = await platform.transports[transport].importRecords(
      each(...messages, ...messages.slice(0, 10)),
    );
    expect(summary).toMatchObject({ received: 100, written: 90, unchanged: 10 });
    const { rows } = await platform.service.app.database.knex.raw(
      "select earned from subsection_grades where username = ?",
      [username],
    );
    expect(rows).toEqual([{ earned: "9" }]);
  });

  it("may be empty", async () => {
    const { summary } = await platform.transports[transport].importRecords(each());
    expect(summary).toMatchObject({ received: 0, written: 0 });
  });

  it("ends at the first invalid record: earlier batches are kept, and nothing of the record's own batch is written", async () => {
    const [before, same, after] = [newUsername(), newUsername(), newUsername()];
    const error = await errorOf(
      platform.transports[transport].importRecords(
        each(
          { records: [learner(before)] },
          { records: [learner(same), completion(same, { percent: 2 })] },
          { records: [learner(after)] },
        ),
      ),
    );
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toBe(
      "Record 2 (counted from 0): completion.percent is 2; it must be a number from 0 to 1.",
    );
    expect(await Promise.all([before, same, after].map(platform.isStored))).toEqual([true, false, false]);
  });

  it("continues past invalid records if requested, and reports their positions", async () => {
    const [a, b] = [newUsername(), newUsername()];
    const { summary, rejected } = await platform.transports[transport].importRecords(
      each(
        { records: [learner(a), {}], skipInvalid: true },
        { records: [completion(b, { percent: 2 }), learner(b)] },
      ),
    );
    expect(summary).toMatchObject({ received: 4, written: 2, unchanged: 0, rejected: 2 });
    expect(rejected).toMatchObject([
      { index: 1, reason: expect.stringContaining("The record is empty") },
      { index: 2, reason: "completion.percent is 2; it must be a number from 0 to 1." },
    ]);
    expect(await Promise.all([a, b].map(platform.isStored))).toEqual([true, true]);
  });

  it("reports the first 1000 invalid records and counts all", async () => {
    const { summary, rejected } = await platform.transports[transport].importRecords(
      each({ records: Array.from({ length: 1001 }, () => ({})), skipInvalid: true }),
    );
    expect(summary).toMatchObject({ received: 1001, rejected: 1001 });
    expect(rejected).toHaveLength(1000);
  });

  it("writes nothing after it is cancelled, and rolls back the batch that is being written", async () => {
    const [first, locked, late] = [newUsername(), newUsername(), newUsername()];
    await platform.records.upsertRecords({ records: [observed(learner(locked), NOON)] });
    const { knex } = platform.service.app.database;
    const lock = await knex.transaction();
    await lock.raw("select from learners where username = ? for update", [locked]);
    const cancelling = new AbortController();
    const released = new AbortController();
    async function* batches() {
      yield { records: [learner(first)] };
      yield { records: [learner(late), learner(locked)] }; // the statement waits for the lock
      await once(released.signal, "abort");
      yield { records: [learner(newUsername())] };
    }
    const call = errorOf(
      platform.transports[transport].importRecords(batches(), { signal: cancelling.signal }),
    );
    while (!(await isWaiting())) await sleep(10);
    cancelling.abort();
    expect((await call).code).toBe(Code.Canceled);
    while (await isWaiting()) await sleep(10);
    await lock.rollback();
    released.abort();
    await sleep(50);
    expect(await Promise.all([first, late].map(platform.isStored))).toEqual([true, false]);

    async function isWaiting(): Promise<boolean> {
      const { rows } = await knex.raw(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    }
  });
});
