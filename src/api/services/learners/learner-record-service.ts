import type { Logger } from "pino";
import type { Functions } from "#domain/configurations/functions.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { createCourse } from "#domain/learners/create-course.js";
import { createLearner } from "#domain/learners/create-learner.js";
import { type ImportCounts, importRecords } from "#domain/learners/import-records.js";
import { recordWarning, skippedWarnings } from "#domain/learners/import-warnings.js";
import { parseCourse } from "#domain/learners/parse-record.js";
import type { LearnerRecord } from "#domain/learners/record.js";
import { createRecordWriter } from "#domain/learners/record-writer.js";
import { invalid, Problem, wrongField } from "#foundation/errors.js";
import type { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { Record as RecordMessage } from "#gen/learning_credentials/v1/record_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { correctionHandlers } from "../credentials/correction-handlers.js";
import { parseNewLearner } from "../requests/parse-learner-list.js";
import { parseRecordMessage } from "../requests/parse-record.js";
import { eraseHandlers } from "./erase-handlers.js";
import { learnerSearchHandlers } from "./learner-search-handlers.js";
import { renameHandlers } from "./rename-handlers.js";

const MAX_BATCH = 5000;
const MAX_REPORTED_REJECTIONS = 1000;
const MAX_REPORTED_WARNINGS = 100;

export function learnerRecordService(deps: {
  database: Database;
  log: Logger;
  functions: Functions<Processor>;
}): Handlers<typeof LearnerRecordService> {
  const { database } = deps;
  return {
    ...eraseHandlers(deps),
    ...renameHandlers(deps),
    ...correctionHandlers(database),
    ...learnerSearchHandlers(deps),

    async createCourse({ course }, { signal }) {
      if (!course) throw wrongField("course", "is missing: set its key and name.");
      const courseRecord = parseCourse(course, { isDeleted: false, observedAt: null });
      await createCourse(database, courseRecord, signal);
      return { ...course, displayName: courseRecord.displayName };
    },

    async createLearner(request, { signal }) {
      const learner = parseNewLearner(request);
      await createLearner(database, learner, signal);
      return { learner: { ...learner, isActive: true } };
    },

    async importRecords(requests, call) {
      const tally = newTally();
      let skipInvalid = false;
      const writer = createRecordWriter(database, call.signal);
      try {
        for await (const request of requests) {
          skipInvalid ||= request.skipInvalid;
          await writer.take(parseBatch(request.records, tally, skipInvalid));
        }
      } finally {
        add(tally, await writer.finish());
      }
      return { summary: summary(tally), rejected: tally.rejections };
    },

    async upsertRecords({ records }, call) {
      if (records.length === 0) throw wrongField("records", "is empty: send at least one record.");
      const tally = newTally();
      const parsed = parseBatch(records, tally, false);
      add(tally, await importRecords(database, parsed, call.signal));
      return { summary: summary(tally) };
    },
  };
}

interface Tally {
  received: number;
  written: number;
  erased: number;
  ownedElsewhere: number;
  rejected: number;
  rejections: { index: number; reason: string }[];
  warnings: string[];
}

function newTally(): Tally {
  return { received: 0, written: 0, erased: 0, ownedElsewhere: 0, rejected: 0, rejections: [], warnings: [] };
}

function add(tally: Tally, { written, erased, ownedElsewhere }: ImportCounts): void {
  tally.written += written;
  tally.erased += erased;
  tally.ownedElsewhere += ownedElsewhere;
}

function summary({ received, written, erased, ownedElsewhere, rejected, warnings }: Tally) {
  return {
    received,
    written,
    rejected,
    unchanged: received - written - rejected,
    warnings: [...skippedWarnings({ erased, ownedElsewhere }), ...warnings],
  };
}

function recordProblem(index: number, error: Problem): Problem {
  const field = error.field && `records[${index}].${error.field}`;
  return new Problem("invalid", `Record ${index} (counted from 0): ${error.message}`, {
    cause: error,
    field,
  });
}

function parseBatch(messages: readonly RecordMessage[], tally: Tally, skipInvalid: boolean): LearnerRecord[] {
  if (messages.length > MAX_BATCH) {
    throw invalid(`A message contains ${messages.length} records; at most ${MAX_BATCH} are accepted.`);
  }
  const records: LearnerRecord[] = [];
  for (const message of messages) {
    const index = tally.received++;
    try {
      const record = parseRecordMessage(message);
      const warning = recordWarning(record);
      if (warning !== undefined && tally.warnings.length < MAX_REPORTED_WARNINGS)
        tally.warnings.push(warning);
      records.push(record);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!skipInvalid) throw recordProblem(index, error);
      tally.rejected++;
      if (tally.rejections.length < MAX_REPORTED_REJECTIONS)
        tally.rejections.push({ index, reason: error.message });
    }
  }
  return records;
}
