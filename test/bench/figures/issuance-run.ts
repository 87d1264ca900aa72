import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type pg from "pg";
import {
  StartIssuanceRunRequestSchema,
  StartIssuanceRunResponseSchema,
} from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { copy } from "../baselines/copy.js";
import { issueBySql } from "../baselines/issue-sql.js";
import { COURSE_KEY, tablesOf } from "../big-course.js";
import { configure } from "../credentials.js";
import type { Figure } from "../figure.js";
import { createGrpcClient, type GrpcClient } from "../grpc-client.js";
import { rate } from "../rate.js";
import { startService, tokenOf } from "../service.js";

const START_ISSUANCE_RUN = "/learning_credentials.v1.CredentialService/StartIssuanceRun";

/** All learners have these grades. */
const requiredGrades = { Exam: 0.3, Total: 0.3 };

export const issuanceRun: Figure = {
  name: "issuance-run",
  subject:
    "StartIssuanceRun: 100,000 eligible learners, planned, issued with events and jobs, in one transaction",
  baseline: "one insert-select of the same credentials written by hand, without events and jobs",
  unit: "credentials/s",
  reach: 1 / 3,

  async prepare(stage) {
    const { sql, isShort } = stage;
    const learners = isShort ? 10_000 : 100_000;
    await copy(sql, tablesOf(learners));
    const configurationId = await configure(sql, COURSE_KEY, requiredGrades);
    await sql.query("vacuum analyze");
    const { grpcPort, pid } = await startService(stage);
    const client = createGrpcClient(grpcPort, await tokenOf("lms", true));
    stage.defer(client.close);

    const measured = async (pid: number | undefined, issue: () => Promise<void>) => {
      await forget(sql);
      const issued = await rate(stage, pid, learners, issue);
      const { rows } = await sql.query("select count(*)::int as count from credentials");
      if (rows[0].count !== learners) throw new Error(`${rows[0].count} of ${learners} were issued.`);
      return issued;
    };
    return {
      subject: () => measured(pid, () => startRun(client, configurationId)),
      baseline: () => measured(undefined, () => issueBySql(sql, configurationId)),
    };
  },
};

async function startRun(client: GrpcClient, configurationId: number): Promise<void> {
  const request = create(StartIssuanceRunRequestSchema, { configurationId });
  // On the wire, a unary call is a stream of one message.
  const message = Buffer.from(toBinary(StartIssuanceRunRequestSchema, request));
  const { run } = fromBinary(
    StartIssuanceRunResponseSchema,
    await client.sendAll(START_ISSUANCE_RUN, [message]),
  );
  if (!run) throw new Error("No run was started.");
}

/** Makes every round begin without credentials. Events can't be removed. */
async function forget(sql: pg.Client): Promise<void> {
  await sql.query("truncate credentials, issuance_runs, issuance_run_failures, jobs cascade");
  await sql.query("checkpoint");
}
