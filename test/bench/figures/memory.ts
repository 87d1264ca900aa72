import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { generate, untilIdle } from "../generation.js";
import { httpLoad } from "../http-load.js";
import { memoryOf } from "../memory-of.js";
import { startService } from "../service.js";
import type { Stage } from "../stage.js";

/** Memory is sampled after each tenth, so that growth shows. The first is what other figures call warming up. */
const TENTHS = 10;

export const memory: Figure = {
  name: "memory",
  subject:
    "memory of one process, after each tenth but the first of 1,000,000 metadata requests and 20,000 PDFs",
  baseline: "the same process when it has started",
  unit: "MB",
  reach: { ever: 250 },
  rounds: TENTHS - 1,
  async prepare(stage) {
    const documents = (stage.isShort ? 500 : 20_000) / TENTHS;
    await issueToVerify(stage);
    return watchMemory(stage, true, async () => {
      await generate(stage, documents);
      await untilIdle(stage);
    });
  },
};

export const memoryWithoutWorker: Figure = {
  name: "memory-no-worker",
  subject: "memory of `serve --no-worker`, after each tenth but the first of 1,000,000 metadata requests",
  baseline: "the same process when it has started",
  unit: "MB",
  reach: { ever: 150 },
  rounds: TENTHS - 1,
  prepare: async (stage) =>
    watchMemory(await stage.sharing("verification", issueToVerify), false, async () => {}),
};

/** @param jobs whether the service also runs jobs; `work` gives it some for a tenth of the time */
async function watchMemory(stage: Stage, jobs: boolean, work: () => Promise<void>) {
  const requests = (await uuidsToVerify(stage)).map((uuid) => ({
    path: `/api/learning_credentials/v1/metadata/${uuid}/`,
  }));
  const load = httpLoad(stage, requests);
  const answers = (stage.isShort ? 20_000 : 1_000_000) / TENTHS;
  const { httpPort, pid } = await startService(stage, undefined, jobs);
  const atStart = await memoryOf(pid);
  return {
    async subject() {
      await Promise.all([load.ask(httpPort, [200, 404], answers), work()]);
      return memoryOf(pid);
    },
    baseline: async () => atStart,
  };
}
