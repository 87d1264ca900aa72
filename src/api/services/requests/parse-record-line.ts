import type { LearnerRecord } from "#domain/learners/record.js";
import { invalid, printable, quoted } from "#foundation/errors.js";
import { RecordSchema } from "#gen/learning_credentials/v1/record_pb.js";
import { readJsonLine, readMessage } from "./earlier-names.js";
import { parseRecordMessage } from "./parse-record.js";

/**
 * Parses a line of an import file: a `Record` as proto JSON, with either spelling of field names. Refuses unknown
 * fields, because they may be misspelt.
 * @throws Problem `invalid` if the line can't be parsed
 */
export function parseRecordLine(line: string): LearnerRecord {
  return parseRecordMessage(readRecord(line));
}

/**
 * Describes a line for error messages, for example `subsection_grade "ana.kovac"`. Returns an empty text if the line
 * contains no name or key.
 */
export function describeRecordLine(line: string): string {
  try {
    const [kind, content] =
      Object.entries(JSON.parse(line)).find(([, value]) => typeof value === "object" && value !== null) ?? [];
    const [, name] =
      Object.entries(content ?? {}).find(
        ([field, value]) => /^(username|course_?key|path_?key)$/i.test(field) && typeof value === "string",
      ) ?? [];
    return [kind && printable(kind), name && quoted(name)].filter(Boolean).join(" ");
  } catch {
    return "";
  }
}

function readRecord(line: string) {
  try {
    return readMessage(RecordSchema, readJsonLine(line));
  } catch (error) {
    throw invalid(
      `It is not a record: ${printable(error instanceof Error ? error.message : String(error), 300)}.`,
      error,
    );
  }
}
