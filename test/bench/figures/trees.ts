import { COURSE_KEY, requiredGrades } from "../big-course.js";
import { callersIn, fillBigCourse } from "../callers.js";
import { configure } from "../credentials.js";
import type { Figure } from "../figure.js";
import { createGrpcClient } from "../grpc-client.js";
import { httpLoad } from "../http-load.js";
import { memoryOf } from "../memory-of.js";
import { rate } from "../rate.js";
import { startService, tokenOf } from "../service.js";
import type { Stage } from "../stage.js";
import { configureTree, fillForTrees, fillTreeCourse } from "../trees.js";
import { eligibleByService } from "./list-eligible.js";

export const listEligibleTree: Figure = {
  name: "list-eligible-tree",
  subject:
    "ListEligibleLearners by a tree of nine requirements of all kinds: 100,000 learners, the whole stream",
  baseline: "the same by required grades",
  unit: "learners/s",
  reach: 0.5,

  async prepare(stage) {
    const learners = stage.isShort ? 10_000 : 100_000;
    const byTree = await configureTree(stage.sql, await fillForTrees(stage));
    const byGrades = await configure(stage.sql, COURSE_KEY, requiredGrades);
    await stage.sql.query("vacuum analyze");
    const { grpcPort, pid } = await startService(stage);
    const client = createGrpcClient(grpcPort, await tokenOf("lms", true));
    stage.defer(async () => {
      console.log(`list-eligible-tree: the service takes ${Math.round(await memoryOf(pid))} MB at the end`);
      await client.close();
    });
    const list = (id: number) => rate(stage, pid, learners, () => eligibleByService(client, id));
    return { subject: () => list(byTree), baseline: () => list(byGrades) };
  },
};

export const eligibilityTree: Figure = {
  name: "eligibility-tree",
  subject: "eligibility route: enrolled learners, 2 configurations by trees of nine requirements",
  baseline: "the same with 2 configurations by required grades",
  unit: "requests/s",
  reach: 0.67,

  async prepare(stage) {
    const trees = await asking(stage, "tree_course", fillTreeCourse);
    const grades = await asking(stage, "big_course", fillBigCourse);
    return { subject: trees, baseline: grades };
  },
};

/** Starts a service on a course, and returns what measures its eligibility route. */
async function asking(stage: Stage, name: string, fill: (stage: Stage) => Promise<void>) {
  const shared = await stage.sharing(name, fill);
  const callers = await callersIn(shared);
  const service = await startService(shared, "server");
  const requested = callers.map(({ username, headers }) => ({
    path: `/api/learning_credentials/v1/eligibility/${COURSE_KEY}/?username=${username}`,
    headers,
  }));
  const load = httpLoad(shared, requested);
  return () => load.rate({ ...service, port: service.httpPort }, [200]);
}
