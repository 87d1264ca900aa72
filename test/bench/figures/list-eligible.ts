import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  ListEligibleLearnersRequestSchema,
  ListEligibleLearnersResponseSchema,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { copy } from "../baselines/copy.js";
import { eligibleBySql } from "../baselines/eligible-sql.js";
import { COURSE_KEY, requiredGrades, tablesOf } from "../big-course.js";
import { configure } from "../credentials.js";
import type { Figure } from "../figure.js";
import { createGrpcClient, type GrpcClient } from "../grpc-client.js";
import { rate } from "../rate.js";
import { startService, tokenOf } from "../service.js";

const LIST_ELIGIBLE_LEARNERS = "/learning_credentials.v1.EligibilityService/ListEligibleLearners";

export const listEligible: Figure = {
  name: "list-eligible",
  subject: "ListEligibleLearners over native gRPC: 100,000 learners, 5 assignment types, the whole stream",
  baseline: "the same question as one SQL statement written by hand",
  unit: "learners/s",
  reach: 0.6,

  async prepare(stage) {
    const { sql, isShort } = stage;
    const learners = isShort ? 10_000 : 100_000;
    await copy(sql, tablesOf(learners));
    const configurationId = await configure(sql, COURSE_KEY, requiredGrades);
    await sql.query("vacuum analyze");
    const { grpcPort, pid } = await startService(stage);
    const client = createGrpcClient(grpcPort, await tokenOf("lms", true));
    stage.defer(client.close);

    const expected = (await eligibleBySql(sql)).sort();
    const listed = await eligibleByService(client, configurationId);
    if (listed.join() !== expected.join()) throw new Error("The service and the statement disagree.");
    return {
      subject: () => rate(stage, pid, learners, () => eligibleByService(client, configurationId)),
      baseline: () => rate(stage, undefined, learners, () => eligibleBySql(sql)),
    };
  },
};

export async function eligibleByService(client: GrpcClient, configurationId: number): Promise<string[]> {
  const request = create(ListEligibleLearnersRequestSchema, { configurationId });
  const usernames: string[] = [];
  const message = Buffer.from(toBinary(ListEligibleLearnersRequestSchema, request));
  for await (const bytes of client.receiveAll(LIST_ELIGIBLE_LEARNERS, message)) {
    const { learners } = fromBinary(ListEligibleLearnersResponseSchema, bytes);
    for (const { username } of learners) usernames.push(username);
  }
  return usernames;
}
