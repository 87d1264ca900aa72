import type { ChildProcess } from "node:child_process";
import { openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/free-port.js";
import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { startProgram, stopProgram } from "../program.js";
import { launchService } from "../service.js";

const POLL_MS = 2;
const DEADLINE_MS = 30_000;

export const start: Figure = {
  name: "start",
  subject: "start of `serve --no-worker` on an existing database, to the first 200 of the metadata route",
  baseline: "start of a bare node:http, to its first 200",
  unit: "ms",
  reach: { usually: 1000 },

  async prepare(stage) {
    const shared = await stage.sharing("verification", issueToVerify);
    const [, known] = await uuidsToVerify(shared); // Every tenth UUID is unknown, beginning with the first.
    const dataDir = await mkdtemp(join(tmpdir(), "learning-credentials-bench-start-"));
    stage.defer(() => rm(dataDir, { recursive: true }));
    const log = openSync(join(dataDir, "log"), "w");
    const bare = join(import.meta.dirname, "../baselines/bare-start.mjs");
    return {
      subject: () =>
        timeToAnswer(`/api/learning_credentials/v1/metadata/${known}/`, (httpPort) =>
          launchService(shared, { jobs: false, dataDir, log, httpPort }),
        ),
      baseline: () =>
        timeToAnswer("/", (httpPort) => startProgram(bare, { env: { HTTP_PORT: String(httpPort) } })),
    };
  },
};

/** Returns the time in milliseconds until a program started by `launch` responds with 200 on the port. */
async function timeToAnswer(path: string, launch: (port: number) => ChildProcess): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const program = launch(port);
  try {
    while ((await statusOf(port, path)) !== 200) {
      if (performance.now() - started > DEADLINE_MS) throw new Error(`${path} was not answered with 200.`);
      await sleep(POLL_MS);
    }
    return performance.now() - started;
  } finally {
    await stopProgram(program);
  }
}

/** @returns undefined while nothing listens */
function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    }).on("error", () => resolve(undefined));
  });
}
