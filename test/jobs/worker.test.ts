import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { enqueueJobs } from "../../src/jobs/enqueue.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { idsOf, job, latch, openQueue, pause, type Queue, takesAtMost, until } from "./queue.js";

let db: TestDatabase;
let queue: Queue;
beforeEach(async () => {
  db = await createTestDatabase();
  queue = openQueue(db);
});
afterEach(() => db.drop());

describe("a job", () => {
  test("is run once, with its payload, and leaves the queue", async () => {
    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id));
    queue.start(async (id) => void seen.push(id));
    const ids = Array.from({ length: 200 }, (_, n) => n);
    await queue.enqueue(...ids);
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen.sort((a, b) => a - b)).toEqual(ids);
  });

  test("exists when its transaction commits, and only then", async () => {
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

  test("is one of any number that one statement adds", async () => {
    const statements: string[] = [];
    db.database.knex.on("query", ({ sql }) => statements.push(sql));
    await queue.enqueue();
    expect(statements).toEqual([]);
    await queue.enqueue(...Array.from({ length: 20_000 }, (_, n) => n));
    expect(statements.length).toBe(1);
    expect((await queue.jobs()).length).toBe(20_000);
  });

  test("that fails is tried five times, told which is the last, and then lost", async () => {
    const seen: boolean[] = [];
    const { lost, lines } = queue.start(async (_id, { isLastAttempt }) => {
      seen.push(isLastAttempt);
      throw new Error(`no luck ${seen.length}`);
    });
    await queue.enqueue(7);
    await until(async () => {
      await queue.hurry();
      expect(await queue.jobs()).toEqual([]);
    });
    expect(lost).toEqual([{ task: "generate_credential", payload: { credentialId: 7 } }]);
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
      expect(await queue.jobs()).toMatchObject([{ attempts: 1, last_error: "no luck" }]),
    );
    const [waiting] = await queue.query(
      "select extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs",
    );
    expect(waiting?.seconds).toBeGreaterThan(1);
    expect(waiting?.seconds).toBeLessThan(Math.E);
  });

  test("that is lost stays until that was dealt with, by one worker at a time", async () => {
    let calls = 0;
    let underWay = 0;
    const options = {
      async onLost() {
        calls += 1;
        underWay += 1;
        expect(underWay).toBe(1);
        await pause(100);
        underWay -= 1;
        if (calls < 5) throw new Error("not now");
      },
    };
    const workers = [1, 2].map(() => queue.start(() => Promise.reject(new Error("no luck")), options));
    await db.database.knex.transaction(async (transaction) => {
      await enqueueJobs(transaction, [job(1)]);
      await transaction.raw("update graphile_worker._private_jobs set attempts = 4");
    });
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(calls).toBe(5);
    await until(() => {
      const messages = workers.flatMap(({ lines }) => lines.map(({ msg }) => msg));
      expect(messages.filter((message) => message === "job failed for the last time").length).toBe(1);
      const failures = messages.filter(
        (message) => message === "the rescue of jobs fails; it goes on trying",
      );
      const recoveries = messages.filter((message) => message === "the rescue of jobs works again");
      expect(failures.length).toBeGreaterThan(0);
      expect(recoveries.length).toBe(failures.length);
    });
  });

  test("of a task that this version does not know is left alone", async () => {
    await queue.query("select graphile_worker.add_job('of_the_future', '{}', max_attempts => 1)");
    await queue.query("update graphile_worker._private_jobs set attempts = 1");
    const { lost } = queue.start(async () => {});
    await pause(500);
    expect(lost).toEqual([]);
    expect((await queue.jobs()).length).toBe(1);
  });
});

describe("a worker that stops", () => {
  test("lets jobs end, takes no other, and signs off", async () => {
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
    expect((await queue.pools()).length).toBe(1);

    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    await pause(300);
    expect(isStopped).toBe(false);
    end.open();
    await stopping;
    await worker.ended;
    expect(await queue.jobs()).toMatchObject([{ attempts: 0, locked_by: null }]);
    expect(await queue.pools()).toEqual([]);
    const connections = await queue.query(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = 'learning-credentials worker'`,
    );
    expect(connections).toEqual([]);
  });

  test("gives jobs back after the deadline, with the attempt, and tells their tasks", async () => {
    const reasons: unknown[] = [];
    const { worker, lost } = queue.start((id, { signal }) => {
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push([id, signal.reason.message]);
          reject(signal.reason);
        });
      });
    });
    await queue.enqueue(1, 2);
    await until(async () => expect(await queue.jobs()).toMatchObject([{ attempts: 1 }, { attempts: 1 }]));
    await queue.query("update graphile_worker._private_jobs set max_attempts = 1");
    await worker.stop(100);
    expect(reasons.sort()).toEqual([
      [1, "The worker ends."],
      [2, "The worker ends."],
    ]);
    const untouched = { attempts: 0, locked_by: null, last_error: null };
    expect(await queue.jobs()).toEqual([untouched, untouched]);
    expect(lost).toEqual([]);

    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id));
    await until(() => expect(seen.sort()).toEqual([1, 2]));
  });

  test("does not wait for a task that does not listen", async () => {
    const begun = latch();
    const { worker } = queue.start(async () => {
      begun.open();
      await new Promise(() => {});
    });
    await queue.enqueue(1);
    await begun.opened;
    await takesAtMost(5_000, worker.stop(100));
    expect(await queue.jobs()).toMatchObject([{ attempts: 0, locked_by: null }]);
    expect(await queue.pools()).toEqual([]);
  });

  test("stops once, however often it is told to", async () => {
    const { worker } = queue.start(async () => {});
    await Promise.all([worker.stop(), worker.stop()]);
    await worker.stop();
  });
});

test("a job that a worker took without learning of it is run after all", async () => {
  const seen: number[] = [];
  const { lost } = queue.start(async (id) => void seen.push(id));
  await until(async () => expect((await queue.pools()).length).toBe(1));
  await db.database.knex.transaction(async (transaction) => {
    await enqueueJobs(transaction, [job(1), job(2)]);
    await transaction.raw(
      `update graphile_worker._private_jobs
       set locked_at = now(), locked_by = (select pool_id from worker_pools),
         attempts = case when payload->>'credentialId' = '2' then max_attempts else 1 end`,
    );
  });
  await until(async () => expect(await queue.jobs()).toEqual([]));
  expect(seen).toEqual([1]);
  expect(idsOf(lost)).toEqual([2]);
});
