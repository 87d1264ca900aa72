import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { API_OWNER } from "#domain/learners/owners.js";
import { parseRecord } from "#domain/learners/parse-record.js";
import type { LearnerRecord } from "#domain/learners/record.js";
import { isTimestamp } from "#foundation/calendar/timestamp.js";
import { invalid, wrongField } from "#foundation/errors.js";
import { type Record as RecordMessage, RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { utcSecond } from "./utc-second.js";

const DAY_MS = 86_400_000;

/** The names of record kinds, from `record.proto`. */
const RECORD_KINDS = RecordSchema.fields.filter(({ oneof }) => oneof).map(({ name }) => name);

/**
 * Checks a record and converts it to a domain value.
 * @throws Problem `invalid` that names the record's kind, the field and the reason
 */
export function parseRecordMessage({ kind, deleted, observeTime }: RecordMessage): LearnerRecord {
  if (kind.case === undefined) throw invalid(`The record is empty: set one of ${RECORD_KINDS.join(", ")}.`);
  return parseRecord(kind.case, kind.value, {
    isDeleted: deleted,
    observedAt: parseObservedAt(observeTime),
    owner: API_OWNER,
  });
}

/** Parses a time. PostgreSQL stores microseconds, so further digits are dropped. */
function parseObservedAt(timestamp: Timestamp | undefined): string | null {
  if (timestamp === undefined) return null;
  const { nanos } = timestamp;
  const seconds = Number(timestamp.seconds);
  const latest = (Date.now() + DAY_MS) / 1000;
  if (!isTimestamp(timestamp) || seconds > latest) {
    throw wrongField(
      "observe_time",
      `is ${timestamp.seconds} s and ${nanos} ns after 1970; it must be between 0001-01-01 and one day from now.`,
    );
  }
  return `${utcSecond(seconds)}.${String(1e6 + Math.floor(nanos / 1000)).slice(1)}Z`;
}
