import { issueToVerify, uuidsToVerify } from "../credentials.js";
import type { Figure } from "../figure.js";
import { generate, generating, untilIdle } from "../generation.js";
import { requestInTime } from "../open-loop.js";
import { startService } from "../service.js";

export const interference: Figure = {
  name: "interference",
  subject: "metadata route at 200 requests a second (open loop) while PDFs are generated: 1 / p99",
  baseline: "the same without generation",
  unit: "1/p99",
  reach: 0.5,

  async prepare(stage) {
    await issueToVerify(stage);
    const uuids = await uuidsToVerify(stage);
    const { httpPort } = await startService(stage, undefined, true);
    const request = requestInTime(httpPort, uuids);
    await generate(stage, 20); // The threads start with the first document.
    await untilIdle(stage);
    return {
      async subject() {
        await generate(stage, 1500);
        const p99 = await request();
        const left = await generating(stage);
        if (left === 0) throw new Error("All documents were made before the load ended: it says nothing.");
        await untilIdle(stage);
        return 1 / p99;
      },
      baseline: async () => 1 / (await request()),
    };
  },
};
