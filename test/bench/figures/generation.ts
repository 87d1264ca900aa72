import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createRenderer } from "../../../src/rendering/engine/renderer.js";
import { writeSigningKeys } from "../../support/signing-keys.js";
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

export const generationWithBadges: Figure = {
  name: "generation-with-badges",
  subject: "credentials made by one service, each with a signed Open Badge in its file",
  baseline: "the same, of a type that has no badges",
  unit: "documents/s",
  reach: 0.95,
  rounds: 7,

  async prepare(stage) {
    const { sql } = stage;
    const directory = await mkdtemp(join(tmpdir(), "learning-credentials-bench-keys-"));
    stage.defer(() => rm(directory, { recursive: true }));
    const env = { SIGNING_KEY_FILES: await writeSigningKeys(directory) };
    const { documents, make } = await startGenerating(stage, env);
    const made = async (options: string, badges: number) => {
      await sql.query("update credentials set options = $1", [options]);
      await sql.query("vacuum credentials");
      const made = await make();
      const { rows } = await sql.query("select count(badge_key)::int as badges from credentials");
      if (rows[0].badges !== badges) throw new Error(`${rows[0].badges} badges instead of ${badges}.`);
      return made;
    };
    return {
      subject: () => made("{}", documents),
      baseline: () => made('{"open_badge": false}', 0),
    };
  },
};

/** Issues credentials, and starts a service that makes them all again as often as asked. */
async function startGenerating(stage: Stage, env?: Readonly<Record<string, string>>) {
  const { sql, isShort } = stage;
  const documents = isShort ? 300 : 4000;
  await copy(sql, tablesOf(documents));
  await issue(sql, await configure(sql, COURSE_KEY, requiredGrades), documents);
  await sql.query("vacuum analyze");
  const { pid } = await startService(stage, undefined, true, env);
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
