import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  ImportRecordsRequestSchema,
  ImportRecordsResponseSchema,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { copy } from "../baselines/copy.js";
import { recordsOf, tablesOf } from "../big-course.js";
import type { Figure } from "../figure.js";
import { createGrpcClient } from "../grpc-client.js";
import { rate } from "../rate.js";
import { startService, tokenOf } from "../service.js";

const IMPORT_RECORDS = "/learning_credentials.v1.LearnerRecordService/ImportRecords";
const RECORDS_PER_MESSAGE = 500;

export const importing: Figure = {
  name: "import",
  subject: "ImportRecords over native gRPC: 50,000 learners, their enrolments, 5 grades each",
  baseline: "COPY of the same rows into the same tables",
  unit: "records/s",
  reach: 0.3,

  async prepare(stage) {
    const { sql, isShort } = stage;
    const learners = isShort ? 5_000 : 50_000;
    const tables = tablesOf(learners);
    const messages = messagesOf(learners);
    const records = 1 + 7 * learners;
    const { grpcPort, pid } = await startService(stage);
    const client = createGrpcClient(grpcPort, await tokenOf("lms", true));
    stage.defer(client.close);

    async function empty() {
      await sql.query(`truncate ${tables.map(({ name }) => name)}`);
      await sql.query("checkpoint");
    }
    return {
      async subject() {
        await empty();
        return rate(stage, pid, records, async () => {
          const response = await client.sendAll(IMPORT_RECORDS, messages);
          const { summary } = fromBinary(ImportRecordsResponseSchema, response);
          if (summary?.written !== records) throw new Error(`${summary?.written} of ${records} written`);
        });
      },
      async baseline() {
        await empty();
        return rate(stage, undefined, records, () => copy(sql, tables));
      },
    };
  },
};

/** Encodes the messages in advance, because the client's work is not the service's. */
function messagesOf(learners: number): Buffer[] {
  const all = recordsOf(learners);
  const messages: Buffer[] = [];
  for (let start = 0; start < all.length; start += RECORDS_PER_MESSAGE) {
    const records = all.slice(start, start + RECORDS_PER_MESSAGE);
    messages.push(
      Buffer.from(toBinary(ImportRecordsRequestSchema, create(ImportRecordsRequestSchema, { records }))),
    );
  }
  return messages;
}
