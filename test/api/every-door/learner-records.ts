import { LearnerRecordService } from "../../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { NOT_A_PAGE, type Row, row } from "./row.js";

const learner = (fullName: string) => ({
  kind: { case: "learner" as const, value: { username: "new", fullName } },
});

export const learnerRecords: Row[] = [
  row(LearnerRecordService, "upsertRecords", "write service", "a record", (_known, door) => [
    { records: [learner(`New ~${door}~`)] },
  ]),
  row(
    LearnerRecordService,
    "upsertRecords",
    "write service",
    "nothing",
    () => [{}],
    "InvalidArgument",
    "records",
  ),
  row(
    LearnerRecordService,
    "upsertRecords",
    "write service",
    "a wrong record",
    () => [{ records: [{ kind: { case: "learner" as const, value: {} } }] }],
    "InvalidArgument",
    "learner.username is empty",
  ),
  row(LearnerRecordService, "searchLearners", "staff", "some", () => [{ query: "ana", pageSize: 1 }]),
  row(
    LearnerRecordService,
    "searchLearners",
    "staff",
    "a page of another search",
    () => [{ query: "ana", pageToken: "x" }],
    "InvalidArgument",
    NOT_A_PAGE,
  ),
  row(LearnerRecordService, "getLearner", "read service", "one", () => [{ username: "ana" }]),
  row(
    LearnerRecordService,
    "getLearner",
    "staff",
    "a stranger",
    () => [{ username: "zoë" }],
    "NotFound",
    'no learner named "zoë"',
  ),
  row(LearnerRecordService, "listLearningContexts", "staff", "some", () => [{ query: "course-v1:Uni+C1+" }]),
  row(
    LearnerRecordService,
    "listLearningContexts",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size is -1",
  ),
  row(LearnerRecordService, "eraseLearner", "write service", "one", (_known, door) => [
    { username: `gone ${door}` },
  ]),
  row(
    LearnerRecordService,
    "eraseLearner",
    "write service",
    "a stranger",
    () => [{ username: "zoë" }],
    "NotFound",
    'no learner named "zoë"',
  ),
  row(LearnerRecordService, "renameLearners", "write service", "a stranger", () => [
    { renames: [{ username: "was", newUsername: "is" }] },
  ]),
  row(
    LearnerRecordService,
    "renameLearners",
    "write service",
    "nobody",
    () => [{}],
    "InvalidArgument",
    "renames has 0 elements",
  ),
  row(LearnerRecordService, "importRecords", "write service", "two messages", (_known, door) => [
    { records: [learner(`A ~${door}~`)] },
    { records: [learner(`B ~${door}~`)] },
  ]),
  row(LearnerRecordService, "importRecords", "write service", "nothing", () => []),
  row(
    LearnerRecordService,
    "importRecords",
    "write service",
    "a wrong record",
    () => [{ records: [learner("C")] }, { records: [{}] }],
    "InvalidArgument",
    "The record is empty",
  ),
];
