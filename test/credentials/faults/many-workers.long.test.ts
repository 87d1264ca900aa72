import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IssuanceRunState } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { freePort } from "../../support/free-port.js";
import {
  countEvents,
  emailsInFiles,
  expectNothingAmiss,
  newcomer,
  openWorkforce,
  ownersOfFiles,
  repairDrafts,
  type Server,
  type Worker,
  type Workforce,
} from "./workforce.js";

/** `RUN_SIZE=10000` is as large as a run of a university. Must be a multiple of 1,000. */
const SIZE = Number(process.env.RUN_SIZE ?? 3_000);
/** Number of learners with an email address: one in ten. */
const MAILED = SIZE / 10;
const BATCH = 1000;

let workforce: Workforce;
let servers: Server[];
let workers: CountedWorker[];

beforeAll(async () => {
  workforce = await openWorkforce();
  const usernames = Array.from({ length: SIZE }, newcomer);
  await workforce.enrol(...usernames.slice(0, MAILED));
  for (let start = MAILED; start < SIZE; start += BATCH) {
    await workforce.academy.enrol(...usernames.slice(start, start + BATCH));
  }
  servers = [await workforce.serve(), await workforce.serve()];
  workers = [await startWorker(), await startWorker()];
}, 180_000);
afterAll(() => workforce?.dismiss());

/** Returns the peak memory of the process, in MB. */
async function peakMemory({ running }: Pick<Worker, "running">): Promise<number> {
  const status = await readFile(`/proc/${running.process.pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

interface CountedWorker extends Worker {
  /** Returns the number of documents that this worker has generated. */
  made(): Promise<number>;
}

async function startWorker(): Promise<CountedWorker> {
  const port = await freePort();
  const worker = await workforce.startWorker({ ADMIN_PORT: String(port) });
  return {
    ...worker,
    async made() {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const [, count = 0] =
        /job_seconds_count\{task="generate_credential",outcome="done"\} (\d+)/.exec(text) ?? [];
      return Number(count);
    },
  };
}

test(`two services and two workers issue to ${SIZE}, none twice, though one of each is killed halfway`, {
  timeout: 600_000,
}, async () => {
  const { configurationId } = workforce.academy;
  const [first, second] = servers as [Server, Server];
  const [killed, survivor] = workers as [CountedWorker, CountedWorker];

  const begun = performance.now();
  const started = await Promise.all(
    servers.map(({ credentials }) => credentials.startIssuanceRun({ configurationId })),
  );
  const runs = started.map(({ run }) => run).sort((a, b) => (b?.issuedCount ?? 0) - (a?.issuedCount ?? 0));
  expect(runs.map((run) => run?.issuedCount)).toEqual([SIZE, 0]);
  const runId = runs[0]?.id ?? "";

  const counts: number[] = [];
  let replacement: CountedWorker | undefined;
  let killedMade = 0;
  let killedPeak = 0;
  for await (const { state, availableCount, failedCount } of second.credentials.watchIssuanceRun({
    id: runId,
  })) {
    counts.push(availableCount);
    expect(failedCount).toBe(0);
    if (availableCount < SIZE / 2 || replacement) continue;
    expect(state).toBe(IssuanceRunState.RUNNING);
    killedPeak = await peakMemory(killed);
    killedMade = await killed.made();
    await Promise.all([killed.kill(), first.kill()]);
    replacement = await startWorker();
  }
  const seconds = (performance.now() - begun) / 1000;
  await workforce.settled();
  expect(counts.at(-1)).toBe(SIZE);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));

  const made = [killedMade, await survivor.made(), (await replacement?.made()) ?? 0];
  for (const count of made) expect(count).toBeGreaterThan(5);

  const issued = await workforce.rows<{ uuid: string; username: string; status: string }>(
    "select uuid, username, status from credentials order by uuid",
  );
  expect(issued).toHaveLength(SIZE);
  expect(new Set(issued.map(({ username }) => username)).size).toBe(SIZE);
  expect(new Set(issued.map(({ status }) => status))).toEqual(new Set(["available"]));
  expect(await ownersOfFiles(workforce)).toEqual(issued.map(({ uuid }) => uuid).sort());
  expect(new Set(await emailsInFiles(workforce)).size).toBe(MAILED);
  expect(await emailsInFiles(workforce)).toHaveLength(MAILED);
  expect(await countEvents(workforce)).toEqual({ issued: SIZE, available: SIZE, emailed: MAILED });
  await repairDrafts(workforce);
  await expectNothingAmiss(workforce);

  const peaks = [killedPeak, await peakMemory(survivor), await peakMemory(second)];
  console.info(
    `${SIZE} credentials in ${seconds.toFixed(1)} s: ${(SIZE / seconds).toFixed(0)} a second, with one worker killed; peak ` +
      `memory of the workers ${peaks[0]} and ${peaks[1]} MB, of the service ${peaks[2]} MB; made by each ${made.join(", ")}`,
  );
});
