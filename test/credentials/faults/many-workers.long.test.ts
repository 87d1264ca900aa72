import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IssuanceRunState } from "../../../gen/learning_credentials/v1/issuance_run_pb.js";
import {
  countEvents,
  expectNothingAmiss,
  mailsInFiles,
  newcomer,
  openWorkforce,
  ownersOfFiles,
  type Server,
  type Worker,
  type Workforce,
} from "./workforce.js";

/** `RUN_SIZE=10000` for a run as large as a university has; it must be a multiple of 1,000. */
const SIZE = Number(process.env.RUN_SIZE ?? 3_000);
/** Number of learners with an address: one in ten. */
const MAILED = SIZE / 10;
const BATCH = 1000;

let workforce: Workforce;
let servers: Server[];
let workers: Worker[];

beforeAll(async () => {
  workforce = await openWorkforce();
  const usernames = Array.from({ length: SIZE }, newcomer);
  await workforce.enrol(...usernames.slice(0, MAILED));
  for (let start = MAILED; start < SIZE; start += BATCH) {
    await workforce.academy.enrol(...usernames.slice(start, start + BATCH));
  }
  servers = [await workforce.serve(), await workforce.serve()];
  workers = [await workforce.hire(), await workforce.hire()];
}, 180_000);
afterAll(() => workforce?.dismiss());

/** Returns the peak memory of the process, in MB. */
async function peakMemory({ running }: Pick<Worker, "running">): Promise<number> {
  const status = await readFile(`/proc/${running.process.pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** Counts how often each worker is seen with a job, until it is stopped. */
function watchWorkers(): { stop(): Promise<ReadonlyMap<string, number>> } {
  const seen = new Map<string, number>();
  let isStopped = false;
  const watching = (async () => {
    for (; !isStopped; await sleep(50)) {
      const holders = await workforce.rows<{ id: string }>(
        "select distinct locked_by as id from graphile_worker._private_jobs where locked_by is not null",
      );
      for (const { id } of holders) seen.set(id, (seen.get(id) ?? 0) + 1);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await watching;
      return seen;
    },
  };
}

test(`two services and two workers issue to ${SIZE}, none twice, though one of each is killed half-way`, {
  timeout: 600_000,
}, async () => {
  const { configurationId } = workforce.academy;
  const [first, second] = servers as [Server, Server];
  const [killed, survivor] = workers as [Worker, Worker];

  const begun = performance.now();
  const started = await Promise.all(
    servers.map(({ credentials }) => credentials.startIssuanceRun({ configurationId })),
  );
  const runs = started.map(({ run }) => run).sort((a, b) => (b?.issuedCount ?? 0) - (a?.issuedCount ?? 0));
  expect(runs.map((run) => run?.issuedCount)).toEqual([SIZE, 0]);
  const runId = runs[0]?.id ?? "";

  const watching = watchWorkers();
  const counts: number[] = [];
  let replacement: Worker | undefined;
  let killedPeak = 0;
  for await (const { state, availableCount, failedCount } of second.credentials.watchIssuanceRun({
    id: runId,
  })) {
    counts.push(availableCount);
    expect(failedCount).toBe(0);
    if (availableCount < SIZE / 2 || replacement) continue;
    expect(state).toBe(IssuanceRunState.RUNNING);
    killedPeak = await peakMemory(killed);
    await Promise.all([killed.kill(), first.kill()]);
    await workforce.forgetAbout(killed);
    replacement = await workforce.hire();
  }
  const seconds = (performance.now() - begun) / 1000;
  await workforce.settled();
  expect(counts.at(-1)).toBe(SIZE);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));

  const seen = await watching.stop();
  const atWork = [killed, survivor, replacement as Worker].map(({ poolId }) => seen.get(poolId) ?? 0);
  for (const times of atWork) expect(times).toBeGreaterThan(5);

  const issued = await workforce.rows<{ uuid: string; username: string; status: string }>(
    "select uuid, username, status from credentials order by uuid",
  );
  expect(issued).toHaveLength(SIZE);
  expect(new Set(issued.map(({ username }) => username)).size).toBe(SIZE);
  expect(new Set(issued.map(({ status }) => status))).toEqual(new Set(["available"]));
  expect(await ownersOfFiles(workforce)).toEqual(issued.map(({ uuid }) => uuid).sort());
  expect(new Set(await mailsInFiles(workforce)).size).toBe(MAILED);
  expect(await mailsInFiles(workforce)).toHaveLength(MAILED);
  expect(await countEvents(workforce)).toEqual({ issued: SIZE, available: SIZE, emailed: MAILED });
  await expectNothingAmiss(workforce);

  const peaks = [killedPeak, await peakMemory(survivor), await peakMemory(second)];
  console.info(
    `${SIZE} credentials in ${seconds.toFixed(1)} s: ${(SIZE / seconds).toFixed(0)} a second, with one worker killed; peak ` +
      `memory of the workers ${peaks[0]} and ${peaks[1]} MB, of the service ${peaks[2]} MB; seen at work ${atWork.join(", ")} times`,
  );
});
