import { beforeEach, describe, expect, test } from "vitest";
import { createThreadPool } from "#foundation/concurrency/thread-pool.js";
import { Problem } from "#foundation/errors.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { enqueueJobs } from "#infrastructure/jobs/enqueue.js";
import type { TaskContext } from "#infrastructure/jobs/tasks.js";
import { givenEachDatabase } from "../support/database.js";
import { idsOf, job, latch, openQueue, pause, type Queue, until } from "./queue.js";

const db = givenEachDatabase();
let queue: Queue;
beforeEach(async () => {
  queue = openQueue(db);
});

describe("a job", () => {
  test("runs once, with its payload, and leaves the queue", async () => {
    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id));
    queue.start(async (id) => void seen.push(id));
    const ids = Array.from({ length: 200 }, (_, n) => n);
    await queue.enqueue(...ids);
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen.sort((a, b) => a - b)).toEqual(ids);
  });

  test("exists once its transaction commits, and not before", async () => {
    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id));
    const { knex } = db.database;
    const rolledBack = knex.transaction(async (transaction) => {
      await enqueueJobs(transaction, [job(1)]);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    await knex.transaction(async (transaction) => {
      await enqueueJobs(transaction, [job(2)]);
      await pause(500);
      expect(seen).toEqual([]);
    });
    await until(() => expect(seen).toEqual([2]));
  });

  test("can be added with many others in one statement", async () => {
    const statements: string[] = [];
    db.database.knex.on("query", ({ sql }) => statements.push(sql));
    await queue.enqueue();
    expect(statements).toEqual([]);
    await queue.enqueue(...Array.from({ length: 20_000 }, (_, n) => n));
    expect(statements.length).toBe(1);
    expect((await queue.jobs()).length).toBe(20_000);
  });

  test("that fails is tried five times, knows its last attempt, and is then handed over", async () => {
    const seen: boolean[] = [];
    const { dead, lines } = queue.start(async (_id, { isLastAttempt }) => {
      seen.push(isLastAttempt);
      throw new Error(`no luck ${seen.length}`);
    });
    await queue.enqueue(7);
    await until(async () => {
      await queue.hurry();
      expect(await queue.jobs()).toEqual([]);
    });
    expect(dead).toEqual([{ task: "generate_credential", payload: { credentialId: 7 } }]);
    expect(seen).toEqual([false, false, false, false, true]);
    await until(() => {
      expect(lines.map(({ attempt, level }) => [attempt, level])).toEqual([
        [1, 40],
        [2, 40],
        [3, 40],
        [4, 40],
        [5, 50],
      ]);
    });
    expect(JSON.stringify(lines)).not.toContain("credentialId");
  });

  test("waits longer after each failure", async () => {
    queue.start(async () => {
      throw new Error("no luck");
    });
    await queue.enqueue(1);
    await until(async () =>
      expect(await queue.jobs()).toMatchObject([{ attempts: 1, lastError: "no luck" }]),
    );
    const [waiting] = await queue.query(
      "select extract(epoch from run_at - now())::float8 as seconds from jobs",
    );
    expect(waiting?.seconds).toBeGreaterThan(1);
    expect(waiting?.seconds).toBeLessThan(Math.E);
  });

  test("without attempts left stays until it was handed over, by one worker at a time", async () => {
    let calls = 0;
    let inProgress = 0;
    const options = {
      timings: { poll: 50, firstPause: 50, longestPause: 100 },
      async onDead() {
        calls += 1;
        inProgress += 1;
        expect(inProgress).toBe(1);
        await pause(100);
        inProgress -= 1;
        if (calls < 5) throw new Error("not now");
      },
    };
    const workers = [1, 2].map(() => queue.start(() => Promise.reject(new Error("no luck")), options));
    await db.database.knex.transaction(async (transaction) => {
      await enqueueJobs(transaction, [job(1)]);
      await transaction.raw("update jobs set attempts = 4");
    });
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(calls).toBe(5);
    await until(() => {
      const messages = workers.flatMap(({ lines }) => lines.map(({ msg }) => msg));
      expect(messages.filter((message) => message === "job failed permanently").length).toBe(1);
      const failures = messages.filter((message) =>
        String(message).includes("could not be marked as failed"),
      );
      expect(failures.length).toBe(4);
    });
  });

  test("of an unknown task is not run", async () => {
    await queue.query(
      "insert into jobs (task, payload, priority, attempts, max_attempts) values ('of_the_future', '{}', 0, 1, 1)",
    );
    const { dead } = queue.start(async () => {});
    await pause(500);
    expect(dead).toEqual([]);
    expect((await queue.jobs()).length).toBe(1);
  });
});

/** Returns the error that a job receives when a rendering thread does not start in time. */
async function lateThread(): Promise<unknown> {
  const pool = createThreadPool<null, null>({
    module: new URL("data:text/javascript,setInterval(() => {}, 1000)"),
    workerData: null,
    threads: 1,
    subject: "The document",
    timeLimitMs: 60_000,
    resourceLimits: {},
    startLimitMs: 1,
  });
  return pool.run(null).catch((error) => error);
}

/** Returns the error that a job receives when other callers hold all connections. */
async function busyPool(): Promise<unknown> {
  const database = openDatabase(db.url, 1);
  const connection = await database.knex.client.acquireConnection();
  const error = await database.knex.raw("select").catch((error) => error);
  await database.knex.client.releaseConnection(connection);
  await database.close();
  return error;
}

/** Returns the error that a job receives when too many others wait for a connection. */
async function crowdedPool(): Promise<unknown> {
  const database = openDatabase(db.url, 1);
  const requested = Array.from({ length: 200 }, () => database.knex.raw("select pg_sleep(0.001)"));
  const error = (await Promise.allSettled(requested)).find(({ status }) => status === "rejected");
  await database.close();
  return (error as PromiseRejectedResult).reason;
}

const storeOut = () => new Problem("unavailable", "The store is out.", { outage: "store" });

describe("an outage", () => {
  test.each([
    ["of the store", storeOut],
    ["of the database", () => Object.assign(new Error("no disk space"), { code: "53100" })],
    ["of the processor", lateThread],
    ["of connections to the database", busyPool],
    ["of places in the line for connections", crowdedPool],
    ["of the network", () => Object.assign(new Error("connect"), { code: "ECONNREFUSED" })],
  ])("%s costs a job no attempt, however long it lasts", async (_name, faultOf) => {
    const fault = await faultOf();
    const seen: boolean[] = [];
    const firsts: boolean[] = [];
    const run = async (_id: number, { isFirstRun, isLastAttempt }: TaskContext) => {
      firsts.push(isFirstRun);
      seen.push(isLastAttempt);
      if (seen.length <= 12) throw fault;
    };
    const { dead } = queue.start(run);
    await queue.enqueue(7);
    await until(async () => {
      await queue.hurry();
      expect(await queue.jobs()).toEqual([]);
    });
    expect(seen).toEqual(Array(13).fill(false));
    expect(firsts).toEqual([true, ...Array(12).fill(false)]);
    expect(dead).toEqual([]);
  });

  test("makes jobs that need the failed dependency wait until a probe succeeds; other jobs run", async () => {
    let isOut = true;
    let looks = 0;
    const runs: number[] = [];
    const outages: [string, boolean][] = [];
    const { lines, dead } = queue.start(
      async (id) => {
        runs.push(id);
        if (isOut) throw storeOut();
      },
      {
        probes: {
          async store() {
            looks += 1;
            if (isOut) throw new Error("still out");
          },
        },
        onOutage: (...outage) => void outages.push(outage),
      },
    );
    const ids = Array.from({ length: 200 }, (_, n) => n);
    await queue.enqueue(...ids);
    await until(() => expect(looks).toBeGreaterThan(2));
    await enqueueJobs(db.database.knex, [{ task: "send_mail", payload: { credentialUuid: "a", mailId: 1 } }]);
    await until(async () => {
      await queue.hurry();
      expect(await queue.jobs()).toHaveLength(200); // The email has been sent, although the other jobs wait.
    });
    await until(() => expect(looks).toBeGreaterThan(5));
    expect(runs.length).toBeLessThanOrEqual(4); // Only the jobs ran that had started before the outage was noticed.
    const outcomes = await queue.query("select distinct attempts from jobs");
    expect(outcomes).toEqual([{ attempts: 0 }]);

    runs.length = 0;
    isOut = false;
    await until(async () => {
      await queue.hurry();
      expect(await queue.jobs()).toEqual([]);
    });
    expect(runs.sort((a, b) => a - b)).toEqual(ids);
    expect(dead).toEqual([]);
    expect(outages).toEqual([
      ["store", true],
      ["store", false],
    ]);
    const reported = lines.map(({ msg }) => msg).filter((msg) => String(msg).startsWith("jobs"));
    expect(reported).toEqual(["jobs paused: a dependency is unavailable", "jobs resumed"]);
  });

  test("that the probe does not detect is met by few jobs, at growing intervals", async () => {
    const runs: number[] = [];
    let looks = 0;
    queue.start(
      async (id) => {
        runs.push(id);
        throw storeOut();
      },
      { probes: { store: async () => void looks++ }, timings: { firstPause: 20, longestPause: 60_000 } },
    );
    await queue.enqueue(...Array.from({ length: 100 }, (_, n) => n));
    await until(async () => {
      await queue.hurry();
      expect(looks).toBeGreaterThanOrEqual(4);
    });
    expect(runs.length).toBeLessThanOrEqual(4 * (looks + 1));
    expect((await queue.jobs()).length).toBe(100);
  });
});

describe("a worker that stops", () => {
  test("lets jobs finish, takes no others, and disconnects", async () => {
    const end = latch();
    const seen: number[] = [];
    const { worker } = queue.start(
      async (id) => {
        seen.push(id);
        await end.opened;
      },
      { concurrency: 1 },
    );
    await queue.enqueue(1, 2);
    await until(() => expect(seen).toEqual([1]));

    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    await pause(300);
    expect(isStopped).toBe(false);
    end.open();
    await stopping;
    expect(await queue.jobs()).toMatchObject([{ attempts: 0, isLeased: false }]);
    const connections = () =>
      queue.query(
        `select pid from pg_stat_activity
         where datname = current_database() and application_name = 'learning-credentials worker'`,
      );
    await expect.poll(connections).toEqual([]); // Polls, because a backend ends slightly later than its connection.
  });

  test("releases jobs after the deadline without counting the attempt, and signals their tasks", async () => {
    const reasons: unknown[] = [];
    const { worker, dead } = queue.start((id, { signal }) => {
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push([id, signal.reason.message]);
          reject(signal.reason);
        });
      });
    });
    await queue.enqueue(1, 2);
    await until(async () => expect(await queue.jobs()).toMatchObject([{ attempts: 1 }, { attempts: 1 }]));
    await queue.query("update jobs set max_attempts = 1");
    await worker.stop(100);
    expect(reasons.sort()).toEqual([
      [1, "The worker is shutting down."],
      [2, "The worker is shutting down."],
    ]);
    const released = { attempts: 0, isLeased: false, lastError: "The worker ended before the job did." };
    expect(await queue.jobs()).toEqual([released, released]);
    expect(dead).toEqual([]);

    const seen: [number, boolean][] = [];
    queue.start(async (id, { isFirstRun }) => void seen.push([id, isFirstRun]));
    await until(() =>
      expect(seen.sort()).toEqual([
        [1, false],
        [2, false],
      ]),
    );
  });

  test("does not wait for a task that ignores the signal", async () => {
    const begun = latch();
    const { worker } = queue.start(async () => {
      begun.open();
      await new Promise(() => {});
    });
    await queue.enqueue(1);
    await begun.opened;
    await worker.stop(100);
    expect(await queue.jobs()).toMatchObject([{ attempts: 0, isLeased: false }]);
  });

  test("stops once, however often it is requested to", async () => {
    const { worker } = queue.start(async () => {});
    await Promise.all([worker.stop(), worker.stop()]);
    await expect(worker.stop()).resolves.toBeUndefined();
  });
});

test("a job that a worker took without receiving it is run in the end", async () => {
  await db.database.knex.transaction(async (transaction) => {
    await enqueueJobs(transaction, [job(1), job(2)]);
    await transaction.raw(
      `update jobs set runs = 1, leased_until = now() + interval '1 second',
         attempts = case when payload->>'credentialId' = '2' then max_attempts else 1 end`,
    );
  });
  const seen: number[] = [];
  const { dead } = queue.start(async (id) => void seen.push(id));
  await until(async () => expect(await queue.jobs()).toEqual([]));
  expect(seen).toEqual([1]);
  expect(idsOf(dead)).toEqual([2]);
});
