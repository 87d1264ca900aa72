import { expect, inject, onTestFinished, test, vi } from "vitest";
import { issueToVerify, uuidsToVerify } from "../bench/credentials.js";
import { generate, untilIdle } from "../bench/generation.js";
import { httpLoad } from "../bench/http-load.js";
import { memoryOf } from "../bench/memory-of.js";
import { openStage, type Stage } from "../bench/stage.js";
import { buildProgram, type Running } from "../main/program.js";
import { SETTINGS } from "../support/service.js";

const REQUESTS = 100_000;
const DOCUMENTS = 1_000;
/**
 * The number of parts of the load. The memory is measured after each. It may grow during the first half, and must stay
 * constant afterwards.
 */
const PARTS = 20;
/** Samples of the same process differ by less than this factor. */
const MAY_GROW = 1.1;

/** `limit` is in MB. */
test.each([
  { command: ["serve"], jobs: true, limit: 250 },
  { command: ["serve", "--no-worker"], jobs: false, limit: 170 },
])(
  "`$command` takes less than $limit MB under load, and no more later than earlier",
  {
    timeout: 3_600_000,
  },
  async ({ command, jobs, limit }) => {
    const server = { url: inject("postgresUrl"), shared: new Map() };
    const stage = await openStage(server, `memory_${jobs}`, { isShort: true, profileDir: undefined });
    onTestFinished(stage.close);
    await issueToVerify(stage);
    const paths = (await uuidsToVerify(stage)).map((uuid) => ({
      path: `/api/learning_credentials/v1/metadata/${uuid}/`,
    }));
    const load = httpLoad(stage, paths);
    const { process, httpPort } = await start(stage, command);
    const samples: number[] = [];
    for (let part = 0; part < PARTS; part++) {
      await Promise.all([
        load.request(httpPort, [200, 404], REQUESTS / PARTS),
        jobs && generate(stage, DOCUMENTS / PARTS).then(() => untilIdle(stage)),
      ]);
      samples.push(Math.round(await memoryOf(process.pid as number)));
    }
    console.info(`${command.join(" ")}: ${samples.join(" ")} MB`);
    const half = PARTS / 2;
    expect(medianOf(samples.slice(half))).toBeLessThan(limit);
    expect(medianOf(samples.slice(half + half / 2))).toBeLessThan(
      medianOf(samples.slice(half, half + half / 2)) * MAY_GROW,
    );
  },
);

function medianOf(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
}

async function start(
  { databaseUrl, defer }: Stage,
  command: readonly string[],
): Promise<{ process: Running["process"]; httpPort: number }> {
  const program = await buildProgram();
  defer(program.remove);
  const running = program.start(command, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: program.scratch("data"),
    ...SETTINGS,
    LOG_LEVEL: "info",
  });
  defer(async () => void (await running.end("SIGTERM")));
  const serving = () => /"httpPort":(\d+)/.exec(running.stderr())?.[1];
  const httpPort = await vi.waitUntil(serving, { timeout: 90_000, interval: 50 });
  return { process: running.process, httpPort: Number(httpPort) };
}
