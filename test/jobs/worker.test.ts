import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { enqueueJobs, type NewJob } from "../../src/jobs/enqueue.js";
import type { LostJob } from "../../src/jobs/rescue.js";
import type { TaskContext } from "../../src/jobs/tasks.js";
import { startWorker, type WorkerOptions } from "../../src/jobs/worker.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { openProxy } from "./tcp-proxy.js";

const TIMINGS = { heartbeat: 100, silence: 1000, rescue: 200 };
const isWindows = process.platform === "win32";

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

const job = (credentialId: number): NewJob => ({
  task: "generate_credential",
  payload: { credentialId, attempt: 1 },
});
const enqueue = (...ids: number[]) => enqueueJobs(db.database.knex, ids.map(job));

type Run = (credentialId: number, context: TaskContext) => Promise<void>;

/** Starts a worker in this process; what it logs, and the jobs it calls lost, are collected. */
function start(run: Run, options: Partial<WorkerOptions> = {}) {
  const lost: LostJob[] = [];
  const lines: Record<string, unknown>[] = [];
  const worker = startWorker({
    databaseUrl: db.url,
    tasks: { generate_credential: ({ credentialId }, context) => run(credentialId, context) },
    onLost: async (jobs) => void lost.push(...jobs),
    concurrency: 4,
    log: pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) }),
    timings: TIMINGS,
    ...options,
  });
  onTestFinished(() => worker.stop(0));
  return { worker, lost, lines };
}

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await db.database.knex.raw(sql)).rows;
}
const jobs = () =>
  rows("select attempts, locked_by, last_error from graphile_worker._private_jobs order by id");
const pools = () => rows("select pool_id from worker_pools");
/** Makes what is waiting for another try due at once. */
const hurry = () =>
  rows("update graphile_worker._private_jobs set run_at = now() where run_at > now() returning id");
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe("a job", () => {
  test("is run once, with its payload, and leaves the queue", async () => {
    const seen: number[] = [];
    start(async (id) => void seen.push(id));
    start(async (id) => void seen.push(id));
    const ids = Array.from({ length: 200 }, (_, n) => n);
    await enqueue(...ids);
    await until(async () => expect(await jobs()).toEqual([]));
    expect(seen.sort((a, b) => a - b)).toEqual(ids);
  });

  test("exists when its transaction commits, and only then", async () => {
    const seen: number[] = [];
    start(async (id) => void seen.push(id));
    const { knex } = db.database;
    await knex
      .transaction(async (transaction) => {
        await enqueueJobs(transaction, [job(1)]);
        throw new Error("rolled back");
      })
      .catch(() => {});
    await knex.transaction(async (transaction) => {
      await enqueueJobs(transaction, [job(2)]);
      await setTimeout(500);
      expect(seen).toEqual([]);
    });
    await until(() => expect(seen).toEqual([2]));
  });

  test("is one of any number that one statement adds", async () => {
    const statements: string[] = [];
    db.database.knex.on("query", ({ sql }) => statements.push(sql));
    await enqueueJobs(db.database.knex, []);
    expect(statements).toEqual([]);
    await enqueue(...Array.from({ length: 20_000 }, (_, n) => n));
    expect(statements.length).toBe(1);
    expect((await jobs()).length).toBe(20_000);
  });

  test("that fails is tried five times, told that it is the last, and then handed over", async () => {
    const seen: boolean[] = [];
    const { lost, lines } = start(async (_id, { isLastAttempt }) => {
      seen.push(isLastAttempt);
      throw new Error(`no luck ${seen.length}`);
    });
    await enqueue(7);
    await until(async () => {
      await hurry();
      expect(lost).toEqual([{ task: "generate_credential", payload: { credentialId: 7, attempt: 1 } }]);
    });
    expect(seen).toEqual([false, false, false, false, true]);
    await until(async () => expect(await jobs()).toEqual([]));
    expect(lines.filter(({ jobId }) => jobId).map(({ attempt, level }) => [attempt, level])).toEqual([
      [1, 40],
      [2, 40],
      [3, 40],
      [4, 40],
      [5, 50],
    ]);
    expect(JSON.stringify(lines)).not.toContain("credentialId");
  });

  test("waits longer after each failure", async () => {
    start(async () => {
      throw new Error("no luck");
    });
    await enqueue(1);
    await until(async () => expect(await jobs()).toMatchObject([{ attempts: 1, last_error: "no luck" }]));
    const [first] = await rows(
      "select extract(epoch from run_at - now())::float8 as pause from graphile_worker._private_jobs",
    );
    expect(first?.pause).toBeGreaterThan(1);
    expect(first?.pause).toBeLessThan(Math.E);
  });

  test("stays when handing it over failed, and is handed over again", async () => {
    let calls = 0;
    const { lines } = start(
      async () => {
        throw new Error("no luck");
      },
      {
        async onLost() {
          calls += 1;
          if (calls < 3) throw new Error("not now");
        },
      },
    );
    await enqueue(1);
    await rows("update graphile_worker._private_jobs set attempts = 4");
    await until(async () => expect(await jobs()).toEqual([]));
    expect(calls).toBe(3);
    expect(lines.map(({ msg }) => msg)).toEqual([
      "job failed for the last time",
      "the rescue of jobs fails; it goes on trying",
      "the rescue of jobs works again",
    ]);
  });

  test("of a task that this version does not know is left alone", async () => {
    await rows(
      "select graphile_worker.add_job('of_the_future', '{}'); update graphile_worker._private_jobs set attempts = 25",
    );
    const { lost } = start(async () => {});
    await setTimeout(500);
    expect(lost).toEqual([]);
    expect((await jobs()).length).toBe(1);
  });
});

describe("a worker that stops", () => {
  test("lets jobs end, takes no other, and signs off", async () => {
    const end = deferred();
    const seen: number[] = [];
    const { worker } = start(
      async (id) => {
        seen.push(id);
        await end.promise;
      },
      { concurrency: 1 },
    );
    await enqueue(1, 2);
    await until(() => expect(seen).toEqual([1]));
    expect((await pools()).length).toBe(1);

    let isStopped = false;
    const stopping = worker.stop().then(() => {
      isStopped = true;
    });
    await setTimeout(300);
    expect(isStopped).toBe(false);
    end.resolve();
    await stopping;
    await worker.ended;
    expect(await jobs()).toMatchObject([{ attempts: 0, locked_by: null }]);
    expect(await pools()).toEqual([]);
    expect(await connections()).toBe(0);
  });

  test("gives jobs back after the deadline, with the attempt, and tells their tasks", async () => {
    const reasons: unknown[] = [];
    const obedient = start((id, { signal }) => {
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push([id, signal.reason.message]);
          reject(signal.reason);
        });
      });
    });
    await enqueue(1, 2);
    await until(async () => expect(await jobs()).toMatchObject([{ attempts: 1 }, { attempts: 1 }]));
    await obedient.worker.stop(100);
    expect(reasons).toEqual([
      [1, "The worker ends."],
      [2, "The worker ends."],
    ]);
    expect(await jobs()).toMatchObject([
      { attempts: 0, locked_by: null, last_error: null },
      { attempts: 0, locked_by: null, last_error: null },
    ]);

    const seen: number[] = [];
    start(async (id) => void seen.push(id));
    await until(() => expect(seen.sort()).toEqual([1, 2]));
  });

  test("does not wait for a task that does not listen", async () => {
    const begun = deferred();
    const { worker } = start(async () => {
      begun.resolve();
      await new Promise(() => {});
    });
    await enqueue(1);
    await begun.promise;
    const before = performance.now();
    await worker.stop(100);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(await jobs()).toMatchObject([{ attempts: 0, locked_by: null }]);
    expect(await pools()).toEqual([]);
  });

  test("stops once, however often it is told to", async () => {
    const { worker } = start(async () => {});
    await Promise.all([worker.stop(), worker.stop()]);
    await worker.stop();
  });
});

describe("a database that is away", () => {
  test("at the start is waited for, with one line", async () => {
    const proxy = await openProxy(db.url);
    onTestFinished(() => proxy.cut());
    proxy.cut();
    await enqueue(1);
    const seen: number[] = [];
    const { lines } = start(async (id) => void seen.push(id), { databaseUrl: proxy.url });
    await setTimeout(1000);
    await proxy.mend();
    await until(() => expect(seen).toEqual([1]));
    await until(() => expect(lines.length).toBe(4));
    expect(lines.map(({ msg }) => msg).sort()).toEqual([
      "the rescue of jobs fails; it goes on trying",
      "the rescue of jobs works again",
      "the worker's heartbeat fails; it goes on trying",
      "the worker's heartbeat works again",
    ]);
  });

  test("does not keep a worker from stopping", async () => {
    const { worker } = start(async () => {}, { databaseUrl: "postgresql://x:x@127.0.0.1:1/x" });
    await setTimeout(300);
    const before = performance.now();
    await worker.stop();
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  test("while jobs run: each is done once, and what follows is run", async () => {
    const proxy = await openProxy(db.url);
    onTestFinished(() => proxy.cut());
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", onUnhandled);
    onTestFinished(() => void process.off("unhandledRejection", onUnhandled));

    const end = deferred();
    const seen: number[] = [];
    const { worker, lines } = start(
      async (id) => {
        seen.push(id);
        if (id < 2) await end.promise;
        if (id === 1 && seen.filter((other) => other === 1).length === 1) throw new Error("no luck");
      },
      { databaseUrl: proxy.url, timings: { heartbeat: 100, silence: 60_000, rescue: 200 } },
    );
    await enqueue(0, 1);
    await until(() => expect(seen.length).toBe(2));
    proxy.cut();
    end.resolve();
    await setTimeout(3000);
    await enqueue(2);
    expect(seen.length).toBe(2);
    await proxy.mend();
    await until(async () => {
      await hurry();
      expect(await jobs()).toEqual([]);
    });
    expect(seen.sort()).toEqual([0, 1, 1, 2]);
    expect(unhandled).toEqual([]);
    expect(lines.filter(({ msg }) => String(msg).includes("heartbeat")).length).toBe(2);
    expect(lines.length).toBeLessThanOrEqual(5);

    const before = performance.now();
    await worker.stop();
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe.skipIf(isWindows)("a worker process", () => {
  test("that is killed loses its job to another", async () => {
    const child = await spawnWorker();
    await enqueue(1);
    await child.said("begun");
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    expect(await jobs()).toMatchObject([{ attempts: 1, locked_by: expect.any(String) }]);

    const seen: number[] = [];
    const { lost } = start(async (id) => void seen.push(id));
    await until(async () => expect(await jobs()).toEqual([]));
    expect(seen).toEqual([1]);
    expect(lost).toEqual([]);
    expect((await pools()).length).toBe(1);
  });

  test("that is killed in the last attempt leaves a lost job", async () => {
    const child = await spawnWorker();
    await enqueue(1);
    await child.said("begun");
    await rows("update graphile_worker._private_jobs set attempts = max_attempts");
    child.process.kill("SIGKILL");

    const seen: number[] = [];
    const { lost } = start(async (id) => void seen.push(id));
    await until(async () => expect(await jobs()).toEqual([]));
    expect(seen).toEqual([]);
    expect(lost).toEqual([{ task: "generate_credential", payload: { credentialId: 1, attempt: 1 } }]);
  });

  test("that lives keeps its job, however long that takes", async () => {
    const child = await spawnWorker();
    await enqueue(1);
    await child.said("begun");
    const seen: number[] = [];
    start(async (id) => void seen.push(id));
    await setTimeout(2500);
    expect(seen).toEqual([]);
    child.process.stdin?.write("\n");
    await until(async () => expect(await jobs()).toEqual([]));
    expect(seen).toEqual([]);
  });

  test("that was paused and has lost its job does not take it from the other", async () => {
    const child = await spawnWorker();
    await enqueue(1);
    await child.said("begun");
    child.process.kill("SIGSTOP");
    const end = deferred();
    const seen: number[] = [];
    start(async (id) => {
      seen.push(id);
      await end.promise;
    });
    await until(() => expect(seen).toEqual([1]));

    child.process.kill("SIGCONT");
    child.process.stdin?.write("\n");
    await child.said("ended");
    await setTimeout(1500);
    expect(await jobs()).toMatchObject([{ attempts: 2, locked_by: expect.any(String) }]);
    expect(seen).toEqual([1]);
    expect((await pools()).length).toBe(2);
    end.resolve();
    await until(async () => expect(await jobs()).toEqual([]));
  });
});

test("a job that a worker locked without learning of it is run after all", async () => {
  const seen: number[] = [];
  start(async (id) => void seen.push(id));
  await until(async () => expect((await pools()).length).toBe(1));
  await db.database.knex.transaction(async (transaction) => {
    await enqueueJobs(transaction, [job(1)]);
    await transaction.raw(
      `update graphile_worker._private_jobs
       set attempts = 1, locked_at = now(), locked_by = (select pool_id from worker_pools)`,
    );
  });
  await until(async () => expect(await jobs()).toEqual([]));
  expect(seen).toEqual([1]);
});

async function connections(): Promise<unknown> {
  const [row] = await rows(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'learning-credentials worker'`,
  );
  return row?.count;
}

/** Starts `worker-process.ts` on the database of the test, and waits for its heartbeat. */
async function spawnWorker(): Promise<{ process: ChildProcess; said(line: string): Promise<void> }> {
  const script = fileURLToPath(new URL("worker-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, db.url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  await until(async () => expect((await pools()).length).toBe(1));
  return {
    process: child,
    said: (line) => until(() => expect(said).toContain(line)),
  };
}
