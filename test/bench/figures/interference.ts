import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { generate, generating, untilIdle } from "../generation.js";
import { startService } from "../service.js";

const REQUESTS_PER_SECOND = 200;
const SECONDS = 4;

export const interference: Figure = {
  name: "interference",
  subject: "metadata route at 200 requests a second (open loop) while PDFs are generated: 1 / p99",
  baseline: "the same without generation",
  unit: "1/p99",
  reach: 1 / 3,

  async prepare(stage) {
    await issueToVerify(stage);
    const uuids = await uuidsToVerify(stage);
    const { httpPort } = await startService(stage, undefined, true);
    const ask = askInTime(httpPort, uuids);
    await generate(stage, 20); // The threads start with the first document.
    await untilIdle(stage);
    return {
      async subject() {
        await generate(stage, 1500);
        const p99 = await ask();
        const left = await generating(stage);
        if (left === 0) throw new Error("All documents were made before the load ended: it says nothing.");
        await untilIdle(stage);
        return 1 / p99;
      },
      baseline: async () => 1 / (await ask()),
    };
  },
};

/** Sends requests at fixed times, even if responses are late. @returns the 99th percentile of their delay in seconds */
function askInTime(port: number, uuids: readonly string[]): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  let asked = 0;
  const ask = (due: number) =>
    new Promise<number>((resolve, reject) => {
      const uuid = uuids[asked++ % uuids.length];
      get({ port, agent, path: `/api/learning_credentials/v1/metadata/${uuid}/` }, (response) => {
        response.resume().on("end", () => resolve((performance.now() - due) / 1000));
      }).on("error", reject);
    });
  return async () => {
    const started = performance.now();
    const answers: Promise<number>[] = [];
    for (let index = 0; index < REQUESTS_PER_SECOND * SECONDS; index++) {
      const due = started + (index * 1000) / REQUESTS_PER_SECOND;
      if (due > performance.now()) await sleep(due - performance.now());
      answers.push(ask(due));
    }
    const delays = (await Promise.all(answers)).sort((a, b) => a - b);
    return delays[Math.ceil(delays.length * 0.99) - 1] as number;
  };
}
