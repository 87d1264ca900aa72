import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { createRenderer } from "#formats/rendering/engine/renderer.js";
import { GENERATE_PDF } from "../credentials.js";
import type { Figure } from "../figure.js";
import { startGenerating } from "../generation.js";
import { rate } from "../rate.js";

export const generation: Figure = {
  name: "generation",
  subject:
    "credentials made by one service, from job to stored file, event and mail (local store, emails to files)",
  baseline: "the same documents rendered and thrown away, with as many threads",
  unit: "documents/s",
  reach: 0.6,

  async prepare(stage) {
    const { documents, make } = await startGenerating(stage);
    const threads = Math.max(1, availableParallelism() - 1);
    const renderer = createRenderer({ threads });
    stage.defer(renderer.close);
    const render = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => renderer.render(GENERATE_PDF, facts(index), {})),
      );
    await render(threads); // The first document starts the threads.
    return {
      subject: make,
      baseline: () => rate(stage, process.pid, documents, () => render(documents)),
    };
  },
};

function facts(index: number) {
  const verifyUuid = randomUUID();
  return {
    userFullName: `Learner Number ${index}`,
    learningContextName: "A big course",
    credentialType: "Certificate",
    created: new Date(),
    verifyUuid,
    verifyUrl: `https://credentials.test/verify/${verifyUuid}/`,
    platformName: "Learning Credentials",
    language: "en",
  };
}
