import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { requeueAbandonedJobs } from "../../src/jobs/requeue-abandoned.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { idsOf, latch, openQueue, pause, type Queue, until } from "./queue.js";
import { openProxy } from "./tcp-proxy.js";

const RESCUE_FAILS = "requeuing abandoned jobs failed; retrying";
const HEARTBEAT_FAILS = "the worker's heartbeat failed; retrying";

/** Settings for workers that take over the jobs of silent ones quickly. */
const IMPATIENT = { heartbeat: 100, silence: 2_000, rescue: 200 };

const isWindows = process.platform === "win32";

let db: TestDatabase;
let queue: Queue;
beforeEach(async () => {
  db = await createTestDatabase();
  queue = openQueue(db);
});
afterEach(() => db.drop());

describe.skipIf(isWindows)("a worker process", () => {
  test("that is killed has its job taken over by another", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    expect(await queue.jobs()).toMatchObject([{ attempts: 1, locked_by: expect.any(String) }]);

    const seen: number[] = [];
    const { lost } = queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen).toEqual([1]);
    expect(lost).toEqual([]);
    expect((await queue.pools()).length).toBe(1);
  });

  test("that was killed before the clock was set back has its job taken over, too", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    await queue.query("update worker_pools set seen_at = now() + interval '5 days'");
    await queue.query("update graphile_worker._private_jobs set locked_at = now() + interval '5 days'");

    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen).toEqual([1]);
    expect((await queue.pools()).length).toBe(1);
  });

  test("that is killed in the last attempt leaves a dead letter", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    await queue.query("update graphile_worker._private_jobs set attempts = max_attempts");
    child.process.kill("SIGKILL");

    const seen: number[] = [];
    const { lost } = queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen).toEqual([]);
    expect(idsOf(lost)).toEqual([1]);
  });

  test("that is alive keeps its job, however long it takes", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    // This takes longer than the silence after which the other worker takes jobs, plus some of its checks.
    await until(async () => expect(await queue.secondsLocked()).toBeGreaterThan(3));
    expect(seen).toEqual([]);
    child.process.stdin?.write("\n");
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen).toEqual([]);
  });

  test("that was paused and lost its job does not take it back", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    child.process.kill("SIGSTOP");
    const end = latch();
    const seen: number[] = [];
    const run = async (id: number) => {
      seen.push(id);
      await end.opened;
    };
    queue.start(run, { timings: IMPATIENT });
    await until(() => expect(seen).toEqual([1]));

    child.process.kill("SIGCONT");
    child.process.stdin?.write("\n");
    await child.said("ended");
    await pause(500);
    expect(await queue.jobs()).toMatchObject([{ attempts: 2, locked_by: expect.any(String) }]);
    expect(seen).toEqual([1]);
    await until(async () => expect((await queue.pools()).length).toBe(2));
    end.open();
    await until(async () => expect(await queue.jobs()).toEqual([]));
  });
});

test("jobs that were lost with two workers run apart: one of them may have killed both", async () => {
  for (const id of [1, 2, 3, 4]) await queue.enqueue(id);
  await queue.query(
    `update graphile_worker._private_jobs
     set locked_by = 'dead', locked_at = now() - interval '1 hour', run_at = now() - interval '1 hour',
       attempts = case when id = (select min(id) from graphile_worker._private_jobs) then 1 else 2 end`,
  );
  const pool = new pg.Pool({ connectionString: db.url, max: 1 });
  await requeueAbandonedJobs(pool, 60_000, pino({ level: "silent" }));
  const { rows } = await pool.query<{ locked_by: string | null; seconds: number }>(
    `select locked_by, round(extract(epoch from run_at - now()))::int as seconds
     from graphile_worker._private_jobs order by id`,
  );
  await pool.end();
  expect(rows.map(({ locked_by }) => locked_by)).toEqual([null, null, null, null]);
  const [once, ...twice] = rows.map(({ seconds }) => seconds);
  expect(once).toBeLessThanOrEqual(0);
  expect(twice.map((each) => each - (twice[0] ?? 0))).toEqual([0, 1, 2]);
});

describe("an unreachable database", () => {
  test("is waited for at the start, with one line in the log", async () => {
    const proxy = await openProxy(db.url);
    onTestFinished(() => proxy.cut());
    proxy.cut();
    await queue.enqueue(1);
    const seen: number[] = [];
    const { lines } = queue.start(async (id) => void seen.push(id), { databaseUrl: proxy.url });
    await until(() => expect(lines.length).toBe(2));
    await proxy.mend();
    await until(() => expect(seen).toEqual([1]));
    await until(() => expect(lines.length).toBe(4));
    expect(lines.map(({ msg }) => msg).sort()).toEqual([
      RESCUE_FAILS,
      "requeuing abandoned jobs works again",
      HEARTBEAT_FAILS,
      "the worker's heartbeat works again",
    ]);
  });

  test("does not prevent a worker from stopping", async () => {
    const { worker } = queue.start(async () => {}, { databaseUrl: "postgresql://x:x@127.0.0.1:1/x" });
    await pause(300);
    await expect(worker.stop()).resolves.toBeUndefined();
  });

  test("delays running jobs, but each is completed once, and later ones run", async () => {
    const proxy = await openProxy(db.url);
    onTestFinished(() => proxy.cut());
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", onUnhandled);
    onTestFinished(() => void process.off("unhandledRejection", onUnhandled));

    const end = latch();
    const seen: number[] = [];
    const { worker, lost, lines } = queue.start(
      async (id) => {
        const isFirst = !seen.includes(id);
        seen.push(id);
        if (id < 2) await end.opened;
        if (id === 1 && isFirst) throw new Error("no luck");
      },
      { databaseUrl: proxy.url, timings: { heartbeat: 100, silence: 60_000, rescue: 200 } },
    );
    await queue.enqueue(0, 1);
    await until(() => expect(seen.length).toBe(2));
    proxy.cut();
    end.open();
    const failing = expect.arrayContaining([HEARTBEAT_FAILS, RESCUE_FAILS]);
    await until(() => expect(lines.map(({ msg }) => msg)).toEqual(failing));
    await queue.enqueue(2);
    expect(seen.length).toBe(2);
    await proxy.mend();
    await until(async () => {
      await queue.hurry();
      expect(await queue.jobs()).toEqual([]);
    });
    expect(seen.sort()).toEqual([0, 1, 1, 2]);
    expect(lost).toEqual([]);
    expect(unhandled).toEqual([]);
    await until(() => expect(lines.filter(({ msg }) => String(msg).includes("heartbeat")).length).toBe(2));
    await until(() => expect(lines.length).toBe(5));
    await worker.stop();
  });
});

/** Starts `worker-process.js` on the test's database, and waits for its heartbeat. */
async function spawnWorker(): Promise<{ process: ChildProcess; said(line: string): Promise<void> }> {
  const script = fileURLToPath(new URL("worker-process.js", import.meta.url));
  const child = spawn(process.execPath, [script, db.url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  await until(async () => expect((await queue.pools()).length).toBe(1));
  return {
    process: child,
    said: (line) => until(() => expect(said).toContain(line)),
  };
}
