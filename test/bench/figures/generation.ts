import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { createRenderer } from "../../../src/rendering/engine/renderer.js";
import { copy } from "../baselines/copy.js";
import { COURSE_KEY, requiredGrades, tablesOf } from "../big-course.js";
import { configure, issue } from "../credentials.js";
import type { Figure } from "../figure.js";
import { generate, untilIdle } from "../generation.js";
import { rate } from "../rate.js";
import { startService } from "../service.js";
import type { Stage } from "../stage.js";

export const generation: Figure = {
  name: "generation",
  subject:
    "credentials made by one service, from job to stored file, event and mail (local store, mails to files)",
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

/** Issues credentials, and starts a service that makes them all again as often as asked. */
async function startGenerating(stage: Stage) {
  const { sql, isShort } = stage;
  const documents = isShort ? 300 : 4000;
  await copy(sql, tablesOf(documents));
  await issue(sql, await configure(sql, COURSE_KEY, requiredGrades), documents);
  await sql.query("vacuum analyze");
  const { pid } = await startService(stage, undefined, true);
  const make = () =>
    rate(stage, pid, documents, async () => {
      await generate(stage, documents);
      await untilIdle(stage);
    });
  return { documents, make };
}

const GENERATE_PDF = "learning_credentials.generators.generate_pdf_credential";

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
