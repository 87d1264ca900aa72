import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { type Logger, pino } from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { CredentialEvent } from "#domain/credentials/events/credential-event.js";
import { createEventFeed } from "#domain/credentials/events/event-feed.js";
import { removeOldEvents } from "#domain/credentials/events/remove-old-events.js";
import { sealEvents, startSealing } from "#domain/credentials/events/seal-events.js";
import { verifyEventChain } from "#domain/credentials/events/verify-event-chain.js";
import { watchEvents } from "#domain/credentials/events/watch-events.js";
import type { Database } from "#infrastructure/db/database.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { openProxy } from "../../jobs/tcp-proxy.js";
import { givenEachDatabase } from "../../support/database.js";
import { append, appendNumbered, seal } from "./chain.js";

const log = pino({ level: "silent" });
const { signal } = new AbortController();

const db = givenEachDatabase();
const releases: (() => unknown)[] = [];
/**
 * Registers a function that releases a resource before the database is dropped. The function registered last runs
 * first.
 */
const atTheEnd = (release: () => unknown) => void releases.push(release);
afterEach(async () => {
  for (let release = releases.pop(); release; release = releases.pop()) await release();
});

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** Opens a database and a feed, like each process. */
function openProcess({ url = db.url, signOfLifeMs = 15_000, to = log as Logger } = {}) {
  const database = openDatabase(url, 30);
  const feed = createEventFeed(url, to);
  atTheEnd(async () => {
    await feed.close();
    await database.close();
  });
  return { database, feed, signOfLifeMs };
}

interface Watch {
  readonly events: CredentialEvent[];
  /** Number of batches, including empty ones. */
  batches: number;
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

function watch(process: ReturnType<typeof openProcess>, after = 0, hash = ""): Watch {
  const stopping = new AbortController();
  const seen = { events: [] as CredentialEvent[], batches: 0 };
  async function run(): Promise<void> {
    for await (const batch of watchEvents(process, { position: after, hash }, stopping.signal)) {
      seen.events.push(...batch);
      seen.batches++;
    }
  }
  const ended = run().catch((error) => error);
  const stop = async () => {
    stopping.abort(new Error("enough"));
    await ended;
  };
  atTheEnd(stop);
  return Object.assign(seen, { ended, stop });
}

const positions = ({ events }: Watch) => events.map(({ position }) => position);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * Plans of concurrent writers. Each writer runs transactions one after another, and each event is the next event of its
 * credential.
 */
const writers = fc.array(
  fc.array(
    fc.record({
      events: fc.integer({ min: 1, max: 3 }),
      holdMs: fc.integer({ max: 25, min: 0 }),
      commits: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  { minLength: 4, maxLength: 12 },
);

/** @returns the number of committed events of each credential */
async function write(database: Database, plan: typeof writers extends fc.Arbitrary<infer T> ? T : never) {
  const committed = new Map<string, number>();
  await Promise.all(
    plan.map(async (transactions) => {
      const uuid = randomUUID();
      let number = 0;
      for (const { events, holdMs, commits } of transactions) {
        const transaction = await database.knex.transaction();
        for (let event = 1; event <= events; event++) {
          await appendNumbered(transaction, { uuid, number: number + event });
          await sleep(holdMs / events);
        }
        if (commits) number += events;
        await (commits ? transaction.commit() : transaction.rollback());
      }
      committed.set(uuid, number);
    }),
  );
  return committed;
}

test("with late commits, rollbacks and any number of sealers, each watcher sees each event once, in order", async () => {
  const [one, other] = [openProcess(), openProcess()];
  const stopped = await startSealerProcess();
  const sealing = new AbortController();
  const sealers = [one, other].map(async ({ database }) => {
    while (!sealing.signal.aborted) {
      for (let most = 1; most <= 10; most++) {
        await sealEvents(database.knex, most);
        await sleep(most / 2);
      }
    }
  });
  const background = startSealing(other.database.knex, log);
  atTheEnd(async () => {
    sealing.abort();
    await Promise.all([...sealers, background.stop()]);
  });

  const watches = [watch(one), watch(one), watch(other)];
  const expected = new Map<string, number>();
  const total = () => [...expected.values()].reduce((sum, count) => sum + count, 0);
  await fc.assert(
    fc.asyncProperty(writers, fc.nat(300), fc.nat(), async (plan, sealsForMs, anywhere) => {
      const [committed] = await Promise.all([write(one.database, plan), stopped.workFor(sealsForMs)]);
      for (const [uuid, count] of committed) expected.set(uuid, count);
      await until(() => {
        for (const { events } of watches) expect(events.length).toBe(total());
      });
      const from = anywhere % (total() + 1);
      const late = watch(other, from);
      await until(() => expect(positions(late)).toEqual(range(from + 1, total())));
      await late.stop();
    }),
    { numRuns: 6 },
  );

  for (const seen of watches) {
    expect(positions(seen)).toEqual(range(1, total()));
    const numbers = new Map([...expected.keys()].map((uuid) => [uuid, [] as number[]]));
    for (const { credentialUuid, configurationId } of seen.events)
      numbers.get(credentialUuid)?.push(configurationId);
    for (const [uuid, count] of expected) expect(numbers.get(uuid)).toEqual(range(1, count));
  }
  expect(await verifyEventChain(db.database, signal)).toEqual({
    events: total(),
    removedUpTo: 0,
    broken: undefined,
  });
}, 180_000);

/** Starts a sealer that can be stopped in the middle of its work with a signal that no program can handle. */
async function startSealerProcess() {
  const script = fileURLToPath(new URL("sealer-process.js", import.meta.url));
  const child = spawn(process.execPath, [script, db.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  atTheEnd(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return {
    async workFor(ms: number) {
      child.kill("SIGCONT");
      await sleep(ms);
      child.kill("SIGSTOP");
    },
  };
}

test.skipIf(process.platform === "win32")(
  "a sealer that is frozen at its work does not keep others from sealing",
  async () => {
    const { database } = openProcess();
    const frozen = await startSealerProcess();
    for (let round = 0; round < 10; round++) {
      await append(db.database.knex, 3000);
      await frozen.workFor(round * 30);
      await until(async () => {
        await sealEvents(database.knex, 5000);
        const { rows } = await db.database.knex.raw(
          "select count(*)::int as unsealed from unsealed_credential_events",
        );
        expect(rows).toEqual([{ unsealed: 0 }]);
      });
    }
  },
);

test("sealing continues after an outage", async () => {
  const proxy = await openProxy(db.url);
  const database = openDatabase(proxy.url);
  const lines: string[] = [];
  const sealing = startSealing(database.knex, pino({}, { write: (line) => void lines.push(textOf(line)) }));
  atTheEnd(async () => {
    await sealing.stop();
    await database.close();
    proxy.cut();
  });
  const head = async () => (await db.database.knex("credential_event_head").first("position")).position;
  await append(db.database.knex, 1);
  await until(async () => expect(await head()).toBe(1));
  proxy.cut();
  await append(db.database.knex, 2);
  await until(() => expect(lines).toEqual(["sealing events: recurring task failed; retrying"]));
  await proxy.mend();
  await until(async () => expect(await head()).toBe(3));
});

describe("a watcher", () => {
  test("sees an event as soon as it is sealed, without polling", async () => {
    const seen = watch(openProcess());
    await until(() => expect(seen.batches).toBe(1));
    const lastRequested = async () => {
      const { rows } = await db.database.knex.raw(
        `select query_start from pg_stat_activity
         where datname = current_database() and application_name = 'learning-credentials events'`,
      );
      return String(rows[0]?.query_start);
    };
    let unrequested = 0;
    for (let event = 1; unrequested < 3; event++) {
      const before = await lastRequested();
      await seal(db.database.knex, 1);
      await until(() => expect(seen.events.length).toBe(event));
      // the feed polls every two seconds, and may just have done so
      if ((await lastRequested()) === before) unrequested++;
    }
    expect(unrequested).toBe(3);
  });

  test("shares one connection with all others of its process", async () => {
    const process = openProcess();
    const watches = Array.from({ length: 20 }, () => watch(process));
    await seal(db.database.knex, 3);
    await until(() => {
      for (const seen of watches) expect(positions(seen)).toEqual([1, 2, 3]);
    });
    const listening = async () => {
      const { rows } = await db.database.knex.raw(
        `select from pg_stat_activity where datname = current_database() and application_name = 'learning-credentials events'`,
      );
      return rows.length;
    };
    // Events may arrive before the connection is open.
    await until(async () => expect(await listening()).toBeGreaterThan(0));
    expect(await listening()).toBe(1);
  });

  test("holds no connection between batches, and gets the next only on request", async () => {
    await seal(db.database.knex, 2500);
    const process = openProcess();
    const batches = watchEvents(process, { position: 0, hash: "" }, signal);
    for (const expected of [1000, 1000, 500]) {
      expect((await batches.next()).value).toHaveLength(expected);
      expect(process.database.knex.client.pool.numUsed()).toBe(0);
    }
  });

  test("gets an empty batch immediately, and at intervals, while nothing happens", async () => {
    const seen = watch(openProcess({ signOfLifeMs: 20 }));
    await until(() => expect(seen.batches).toBeGreaterThan(5));
    expect(seen.events).toEqual([]);
  });

  test("misses nothing when the listening connection breaks", async () => {
    const proxy = await openProxy(db.url);
    atTheEnd(proxy.cut);
    const lines: string[] = [];
    const feed = createEventFeed(proxy.url, pino({}, { write: (line) => void lines.push(textOf(line)) }));
    atTheEnd(feed.close);
    const seen = watch({ ...openProcess(), feed });
    await seal(db.database.knex, 1);
    await until(() => expect(positions(seen)).toEqual([1]));
    proxy.cut();
    await seal(db.database.knex, 1);
    await until(() => expect(lines).toHaveLength(1));
    await proxy.mend();
    await until(() => expect(positions(seen)).toEqual([1, 2]));
    await seal(db.database.knex, 1);
    await until(() => expect(positions(seen)).toEqual([1, 2, 3]));
    expect(lines).toEqual([
      "listening for events: recurring task failed; retrying",
      "listening for events: recurring task works again",
    ]);
  });

  test("misses nothing when Postgres closes the listening connection and a notification is lost", async () => {
    const seen = watch(openProcess());
    await seal(db.database.knex, 1);
    await until(() => expect(positions(seen)).toEqual([1]));
    await db.database.knex.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'learning-credentials events'`,
    );
    await seal(db.database.knex, 1);
    await until(() => expect(positions(seen)).toEqual([1, 2]));
  });

  test("ends when its signal aborts", async () => {
    const seen = watch(openProcess());
    await until(() => expect(seen.batches).toBe(1));
    await seen.stop();
    expect(await seen.ended).toEqual(new Error("enough"));
  });
});

describe("a cursor", () => {
  const refusal = async (after: number) => (await watch(openProcess(), after).ended) as Error;

  test("at the last event is accepted, and beyond it is refused", async () => {
    await seal(db.database.knex, 3);
    const seen = watch(openProcess(), 3);
    await until(() => expect(seen.batches).toBe(1));
    expect(await refusal(4)).toMatchObject({
      kind: "out-of-range",
      message: expect.stringMatching(/^after_position is 4, but the last event has position 3: /),
    });
  });

  /** Simulates a failover that lost the last events, so that other events have their positions. */
  async function replaceEvents(from: number): Promise<void> {
    await db.database.knex.transaction(async (transaction) => {
      // disables the triggers that refuse the change
      await transaction.raw("set local session_replication_role = replica");
      await transaction.raw("update credential_events set hash = sha256(hash) where position >= ?", [from]);
    });
  }

  test("with the hash of its event is accepted, even if that was removed, until another event is at its position", async () => {
    await seal(db.database.knex, 2, { daysAgo: 40 });
    await seal(db.database.knex, 2);
    const all = watch(openProcess());
    await until(() => expect(positions(all)).toEqual(range(1, 4)));
    const [, second, , fourth] = all.events.map(({ hash }) => hash);
    await removeOldEvents(db.database.knex, 30, signal);
    const [afterSecond, afterFourth] = [watch(openProcess(), 2, second), watch(openProcess(), 4, fourth)];
    await until(() => expect([positions(afterSecond), afterFourth.batches]).toEqual([[3, 4], 1]));
    const without = watch(openProcess(), 4);
    await until(() => expect(without.batches).toBe(1));

    await replaceEvents(4);
    await seal(db.database.knex, 1);
    const refused = { kind: "out-of-range", message: expect.stringContaining("a different hash from yours") };
    expect(
      await Promise.all([all, afterSecond, afterFourth, without].map(({ ended }) => ended)),
    ).toMatchObject([refused, refused, refused, refused]);
    expect(await watch(openProcess(), 4, fourth).ended).toMatchObject(refused);
    expect([all, afterSecond].map(positions)).toEqual([range(1, 4), [3, 4]]);
  });

  test("is accepted from the last event that retention has removed", async () => {
    await seal(db.database.knex, 3, { daysAgo: 40 });
    await seal(db.database.knex, 2);
    await removeOldEvents(db.database.knex, 30, signal);
    const seen = watch(openProcess(), 3);
    await until(() => expect(positions(seen)).toEqual([4, 5]));
    for (const after of [0, 2]) {
      expect(await refusal(after)).toMatchObject({
        kind: "out-of-range",
        message: expect.stringMatching(
          /the events up to 3 were removed because of their age\. Continue after 3,/,
        ),
      });
    }
  });

  test("is refused if retention overtakes it between two batches", async () => {
    await seal(db.database.knex, 1500, { daysAgo: 40 });
    const batches = watchEvents(openProcess(), { position: 0, hash: "" }, signal);
    await batches.next();
    await removeOldEvents(db.database.knex, 30, signal);
    await expect(batches.next()).rejects.toMatchObject({ kind: "out-of-range" });
  });

  test.each(["position = 4", "position > 2"])("never skips events that were removed: %s", async (gone) => {
    await seal(db.database.knex, 5);
    await db.database.knex.raw("alter table credential_events disable trigger all");
    await db.database.knex.raw(`delete from credential_events where ${gone}`);
    const seen = watch(openProcess(), 2);
    expect(await seen.ended).toEqual(new Error("the events after position 2 have a gap: run `doctor`"));
    expect(seen.events).toEqual([]);
  });
});

function textOf(line: string): string {
  const { task, msg } = JSON.parse(line);
  return `${task}: ${msg}`;
}
