import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  completeJobs,
  type Job,
  renewLeases,
  returnJobs,
  takeJobs,
} from "#infrastructure/jobs/queue-store.js";
import { givenEachDatabase } from "../support/database.js";
import { idsOf, latch, openQueue, pause, type Queue, until } from "./queue.js";
import { openProxy } from "./tcp-proxy.js";

const TAKING_FAILS = "taking jobs: recurring task failed; retrying";
const LISTENING_FAILS = "listening for jobs: recurring task failed; retrying";

/** Timings with which workers quickly take over the jobs of workers that no longer renew their leases. */
const IMPATIENT = { lease: 1_000, renewal: 300, poll: 100 };

const isWindows = process.platform === "win32";

const db = givenEachDatabase();
let queue: Queue;
beforeEach(async () => {
  queue = openQueue(db);
});

describe.skipIf(isWindows)("a worker process", () => {
  test("that is killed has its job taken over by another", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    expect(await queue.jobs()).toMatchObject([{ attempts: 1, isLeased: true }]);

    const seen: number[] = [];
    const { dead } = queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen).toEqual([1]);
    expect(dead).toEqual([]);
  });

  test("takes a job that was enqueued before the clock was set back, and no job that waits to be tried again", async () => {
    await queue.enqueue(1, 2, 3);
    await queue.query(`
      update jobs set attempts = case payload->>'credentialId' when '1' then 0 else 3 end,
        run_at = now() + case payload->>'credentialId' when '1' then interval '11 minutes' when '2' then interval '5 days'
          else interval '5 minutes' end`);
    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    await until(() => expect(seen.sort()).toEqual([1, 2]));
    await until(async () => expect((await queue.jobs()).length).toBe(1));
  });

  test("that was killed before the clock was set back has its job taken over, too", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    await queue.query("update jobs set leased_until = now() + interval '5 days'");

    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen).toEqual([1]);
  });

  test("that is killed in the last attempt leaves a job that is handed over", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    await queue.query("update jobs set attempts = max_attempts");
    child.process.kill("SIGKILL");

    const seen: number[] = [];
    const { dead } = queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen).toEqual([]);
    expect(idsOf(dead)).toEqual([1]);
  });

  test("that is alive keeps its job, however long it takes", async () => {
    const child = await spawnWorker();
    await queue.enqueue(1);
    await child.said("begun");
    const seen: number[] = [];
    queue.start(async (id) => void seen.push(id), { timings: IMPATIENT });
    const [first = ""] = await leases();
    // Each lease is renewed, and the first lease ended long ago.
    await until(async () => {
      const { rows } = await db.database.knex.raw(
        "select now() > ?::timestamptz + interval '2 seconds' as has_ended",
        [first],
      );
      expect(rows).toEqual([{ has_ended: true }]);
    });
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
    expect(await queue.jobs()).toMatchObject([{ attempts: 2, isLeased: true }]);
    expect(seen).toEqual([1]);
    end.open();
    await until(async () => expect(await queue.jobs()).toEqual([]));
  });
});

test("jobs that were lost with two workers run apart: one of them may have killed both", async () => {
  await queue.enqueue(1, 2, 3, 4);
  await queue.query(
    `update jobs
     set runs = 2, leased_until = now() - interval '1 hour', run_at = now() - interval '1 hour',
       attempts = case when id = (select min(id) from jobs) then 1 else 2 end`,
  );
  const taken = await takeJobs(db.database.knex, {
    tasks: ["generate_credential"],
    limit: 10,
    leaseMs: 60_000,
    running: [],
    takesOver: true,
  });
  expect(taken.map(({ payload, attempts, wasLost }) => ({ payload, attempts, wasLost }))).toEqual([
    { payload: { credentialId: 1 }, attempts: 2, wasLost: true },
  ]);
  const waiting = await queue.query(
    `select round(extract(epoch from run_at - now()))::int as seconds, attempts
     from jobs where leased_until is null order by id`,
  );
  const [{ seconds: first = 0 } = {}] = waiting as { seconds?: number }[];
  expect(waiting).toEqual([0, 1, 2].map((later) => ({ seconds: first + later, attempts: 2 })));
});

test("a worker whose job was given to another can neither end nor postpone it", async () => {
  await queue.enqueue(1);
  const taking = { tasks: ["generate_credential"], limit: 1, leaseMs: 0, running: [], takesOver: true };
  const { knex } = db.database;
  const [mine] = (await takeJobs(knex, taking)) as [Job];
  const [theirs] = (await takeJobs(knex, { ...taking, leaseMs: 60_000 })) as [Job];
  expect([mine.runs, theirs.runs]).toEqual([1, 2]);
  await returnJobs(knex, [{ job: mine, isCounted: true, pauseMs: 0, error: "late" }]);
  expect(await renewLeases(knex, [mine, theirs], 60_000)).toEqual([false, true]);
  expect(await completeJobs(knex, [mine])).toEqual([false]);
  expect(await queue.jobs()).toEqual([{ attempts: 2, isLeased: true, lastError: null }]);
  expect(await completeJobs(knex, [mine, theirs])).toEqual([false, true]);
  expect(await queue.jobs()).toEqual([]);
});

describe("an unreachable database", () => {
  test("is retried at the start, with one line in the log", async () => {
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
    expect(lines.map(textOf).sort()).toEqual([
      LISTENING_FAILS,
      "listening for jobs: recurring task works again",
      TAKING_FAILS,
      "taking jobs: recurring task works again",
    ]);
  });

  test("does not prevent a worker from stopping", async () => {
    const { worker } = queue.start(async () => {}, { databaseUrl: "postgresql://x:x@127.0.0.1:1/x" });
    await pause(300);
    await expect(worker.stop()).resolves.toBeUndefined();
  });

  test("does not cost a living worker its jobs, even if their leases expire meanwhile", async () => {
    const proxy = await openProxy(db.url);
    onTestFinished(() => proxy.cut());
    const timings = { lease: 3_000, renewal: 1_500, poll: 100 };
    const end = latch();
    const seen: number[] = [];
    const run = async (id: number) => {
      seen.push(id);
      await end.opened;
    };
    const workers = [1, 2].map(() => queue.start(run, { databaseUrl: proxy.url, timings }));
    await queue.enqueue(1);
    await until(() => expect(seen).toEqual([1]));
    proxy.cut();
    const isLeased = async () => (await queue.query("select now() < leased_until as it from jobs"))[0]?.it;
    await until(async () => expect(await isLeased()).toBe(false));
    await proxy.mend();
    await until(async () => expect(await isLeased()).toBe(true));
    end.open();
    await until(async () => expect(await queue.jobs()).toEqual([]));
    expect(seen).toEqual([1]);
    expect(workers.flatMap(({ lines }) => lines.map(({ msg }) => msg))).not.toContainEqual(
      expect.stringContaining("took over"),
    );
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
    const { worker, dead, lines } = queue.start(
      async (id) => {
        const isFirst = !seen.includes(id);
        seen.push(id);
        if (id < 2) await end.opened;
        if (id === 1 && isFirst) throw new Error("no luck");
      },
      { databaseUrl: proxy.url, timings: { poll: 100 } },
    );
    await queue.enqueue(0, 1);
    await until(() => expect(seen.length).toBe(2));
    proxy.cut();
    end.open();
    const failing = expect.arrayContaining([LISTENING_FAILS, TAKING_FAILS]);
    await until(() => expect(lines.map(textOf)).toEqual(failing));
    await queue.enqueue(2);
    expect(seen.length).toBe(2);
    await proxy.mend();
    await until(async () => {
      await queue.hurry();
      expect(await queue.jobs()).toEqual([]);
    });
    expect(seen.sort()).toEqual([0, 1, 1, 2]);
    expect(dead).toEqual([]);
    expect(unhandled).toEqual([]);
    await until(() => expect(lines.filter(({ task }) => task === "listening for jobs").length).toBe(2));
    await until(() => expect(lines.length).toBe(5));
    await worker.stop();
  });
});

/** Returns the times when the leases of the running jobs end. */
async function leases(): Promise<string[]> {
  const rows = await queue.query("select leased_until::text from jobs");
  return rows.map(({ leased_until }) => String(leased_until));
}

/** Starts `worker-process.js` on the test's database. */
async function spawnWorker(): Promise<{ process: ChildProcess; said(line: string): Promise<void> }> {
  const script = fileURLToPath(new URL("worker-process.js", import.meta.url));
  const child = spawn(process.execPath, [script, db.url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(line));
  return {
    process: child,
    said: (line) => until(() => expect(said).toContain(line)),
  };
}

function textOf({ task, msg }: Record<string, unknown>): string {
  return `${task}: ${msg}`;
}
