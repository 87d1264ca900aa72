import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  StartIssuanceRunRequestSchema,
  StartIssuanceRunResponseSchema,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { COURSE_KEY, requiredGrades } from "../big-course.js";
import { callersIn, fillBigCourse } from "../callers.js";
import { configure } from "../credentials.js";
import type { Figure } from "../figure.js";
import { createGrpcClient, type GrpcClient } from "../grpc-client.js";
import { httpLoad } from "../http-load.js";
import { peakMemoryOf } from "../memory-of.js";
import { rate } from "../rate.js";
import { startService, tokenOf } from "../service.js";
import type { Stage } from "../stage.js";
import { configureTree, fillForTrees, fillTreeCourse, learnersIn } from "../trees.js";
import { eligibleByService } from "./list-eligible.js";

export const listEligibleTree: Figure = {
  name: "list-eligible-tree",
  subject:
    "ListEligibleLearners by a tree of nine requirements of all kinds: 100,000 learners, the whole stream",
  baseline: "the same by required grades",
  unit: "learners/s",
  reach: 0.5,

  async prepare(stage) {
    const byTree = await configureTree(stage.sql, await fillForTrees(stage));
    const byGrades = await configure(stage.sql, COURSE_KEY, requiredGrades);
    await stage.sql.query("vacuum analyze");
    const { client, pid } = await startCalled(stage);
    const list = (id: number) => rate(stage, pid, learnersIn(stage), () => eligibleByService(client, id));
    return { subject: () => list(byTree), baseline: () => list(byGrades) };
  },
};

/** Each measurement issues the credentials of a new configuration, and keeps them. */
export const runTree: Figure = {
  name: "run-tree",
  subject:
    "StartIssuanceRun by a tree of nine requirements of all kinds: 100,000 learners, until the credentials are issued",
  baseline: "the same by required grades",
  unit: "learners/s",
  reach: 0.5,

  async prepare(stage) {
    const { sql } = stage;
    const held = await fillForTrees(stage);
    const { client, pid } = await startCalled(stage);
    const run = async (id: number) => rate(stage, pid, learnersIn(stage), () => issueByRun(client, id));
    return {
      subject: async () => run(await configureTree(sql, held)),
      baseline: async () => run(await configure(sql, COURSE_KEY, requiredGrades)),
    };
  },
};

/** A peak can't be reset, so each measurement has its own service. */
export const memoryTree: Figure = {
  name: "memory-tree",
  subject: "peak memory of a service that lists, then issues, by a tree: 100,000 learners",
  baseline: "the same with 10,000 learners",
  unit: "MB",
  reach: { usually: 200 },
  rounds: 1,

  async prepare(stage) {
    const few = await stage.sharing("few_learners", async () => {});
    const peakOf = async (stage: Stage, held: number) => {
      const id = await configureTree(stage.sql, held);
      const { client, pid } = await startCalled(stage);
      await eligibleByService(client, id);
      await issueByRun(client, id);
      return peakMemoryOf(pid);
    };
    const many = { stage, held: await fillForTrees(stage) };
    const tenth = { stage: few, held: await fillForTrees(few, learnersIn(stage) / 10) };
    return {
      subject: () => peakOf(many.stage, many.held),
      baseline: () => peakOf(tenth.stage, tenth.held),
    };
  },
};

export const eligibilityTree: Figure = {
  name: "eligibility-tree",
  subject: "eligibility route: enrolled learners, 2 configurations by trees of nine requirements",
  baseline: "the same with 2 configurations by required grades",
  unit: "requests/s",
  reach: 0.67,

  async prepare(stage) {
    const trees = await requesting(stage, "tree_course", fillTreeCourse);
    const grades = await requesting(stage, "big_course", fillBigCourse);
    return { subject: trees, baseline: grades };
  },
};

/** Starts a service, and a client that calls it as the platform. */
async function startCalled(stage: Stage): Promise<{ client: GrpcClient; pid: number }> {
  const { grpcPort, pid } = await startService(stage);
  const client = createGrpcClient(grpcPort, await tokenOf("lms", true));
  stage.defer(client.close);
  return { client, pid };
}

const START_ISSUANCE_RUN = "/learning_credentials.v1.CredentialService/StartIssuanceRun";

/** Issues to all eligible learners. Between three and five in ten are eligible. */
async function issueByRun(client: GrpcClient, configurationId: number): Promise<void> {
  const request = create(StartIssuanceRunRequestSchema, { configurationId });
  const bytes = Buffer.from(toBinary(StartIssuanceRunRequestSchema, request));
  const { plan, run } = fromBinary(
    StartIssuanceRunResponseSchema,
    await client.call(START_ISSUANCE_RUN, bytes),
  );
  const share = (run?.issuedCount ?? 0) / (plan?.enrolledCount ?? 0);
  if (!(share > 0.3 && share < 0.5)) throw new Error(`The run has issued to ${share} of the learners.`);
}

/** Starts a service on a course, and returns a contest that measures its eligibility route. */
async function requesting(stage: Stage, name: string, fill: (stage: Stage) => Promise<void>) {
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
