import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { PlainRecord } from "#domain/learners/plain-record.js";
import type { LearnerRecord } from "#domain/learners/record.js";
import { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { parseRecord } from "./parse-record.js";

/**
 * Checks a record that consists of plain values in the same way as one from a message.
 * @throws Problem `invalid` naming the record's kind, the field and the reason
 */
export function parsePlainRecord(
  { kind, ...value }: PlainRecord,
  observedAt: Date | undefined,
  owner?: string,
): LearnerRecord {
  const recordKind = { case: kind, value } as MessageInitShape<typeof RecordSchema>["kind"];
  const record = parseRecord(create(RecordSchema, { ...(recordKind && { kind: recordKind }) }), owner);
  if (observedAt === undefined) return record;
  return { ...record, observedAt: `${observedAt.toISOString().slice(0, -1)}000Z` };
}
