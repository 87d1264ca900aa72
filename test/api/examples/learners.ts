import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { examplesOf, NOT_A_PAGE } from "./example.js";

const learner = (fullName: string) => ({
  kind: { case: "learner" as const, value: { username: "new", fullName } },
});

export const learners = examplesOf(LearnerRecordService, {
  upsertRecords: [
    ["platform: a record", ({ transport }) => ({ records: [learner(`New ~${transport}~`)] })],
    ["platform: nothing", {}, "InvalidArgument: records"],
    [
      "platform: a wrong record",
      { records: [{ kind: { case: "learner" as const, value: {} } }] },
      "InvalidArgument: learner.username is empty",
    ],
  ],
  searchLearners: [
    ["staff: some", ({ username }) => ({ query: username, pageSize: 1 })],
    ["staff: a page of another search", { query: "ana", pageToken: "x" }, NOT_A_PAGE],
  ],
  getLearner: [
    ["reader: one", ({ username }) => ({ username })],
    ["staff: a stranger", { username: "zoë" }, 'NotFound: no learner named "zoë"'],
  ],
  listLearningContexts: [
    ["staff: some", ({ learningContextKey }) => ({ query: learningContextKey })],
    ["staff: a negative size", { pageSize: -1 }, "InvalidArgument: page_size is -1"],
  ],
  listLongestNames: [
    ["staff: some", ({ learningContextKey }) => ({ learningContextKey })],
    [
      "staff: a malformed key",
      { learningContextKey: "summer" },
      'InvalidArgument: Invalid learning context key: "summer"',
    ],
  ],
  createCourse: [
    [
      "staff: one",
      ({ transport }) => ({
        course: { courseKey: `course-v1:Uni+Made~${transport}~+1`, displayName: "Summer school" },
      }),
    ],
    [
      "staff: one that is there",
      ({ learningContextKey }) => ({ course: { courseKey: learningContextKey, displayName: "Again" } }),
      "AlreadyExists: belongs to the course",
    ],
    ["staff: none", {}, "InvalidArgument: course is missing"],
    [
      "staff: a malformed key",
      { course: { courseKey: "summer", displayName: "Summer school" } },
      'InvalidArgument: Invalid course key: "summer"',
    ],
  ],
  createLearner: [
    [
      "staff: one",
      ({ transport }) => ({ username: `made~${transport}~`, fullName: "Made Here", email: "made@uni.test" }),
    ],
    [
      "staff: one with a record",
      ({ username }) => ({ username, fullName: "Again" }),
      "AlreadyExists: was already used",
    ],
    ["staff: one without a name", { username: "nameless" }, "InvalidArgument: full_name is empty"],
  ],
  correctLearnerEmail: [
    [
      "staff: one",
      ({ username, transport }) => ({
        username,
        email: `ana~${transport}~@uni.test`,
        reason: "A letter was missing.",
      }),
    ],
    [
      "staff: two addresses",
      ({ username }) => ({ username, email: "a@uni.test,b@uni.test", reason: "?" }),
      "InvalidArgument: email is not an email address",
    ],
    [
      "staff: without a reason",
      ({ username }) => ({ username, email: "ana@uni.test" }),
      "InvalidArgument: reason is empty",
    ],
    [
      "staff: a stranger",
      { username: "zoë", email: "zoe@uni.test", reason: "?" },
      'NotFound: no record of a learner named "zoë"',
    ],
    [
      "staff: as it was read some time ago",
      ({ username }) => ({ username, email: "", recordedEmail: "old@uni.test" }),
      'Aborted: from "old@uni.test"',
    ],
  ],
  correctLearnerName: [
    [
      "staff: one",
      ({ username, transport }) => ({
        username,
        fullName: `Ana Kovač ~${transport}~`,
        reason: "A letter was missing.",
      }),
    ],
    [
      "staff: without a reason",
      ({ username }) => ({ username, fullName: "Ana" }),
      "InvalidArgument: reason is empty",
    ],
    [
      "staff: a stranger",
      { username: "zoë", fullName: "Zoë", reason: "?" },
      'NotFound: no record of a learner named "zoë"',
    ],
    [
      "staff: as it was read some time ago",
      ({ username }) => ({ username, fullName: "", recordedName: "Somebody" }),
      'Aborted: from "Somebody"',
    ],
  ],
  eraseLearner: [
    ["platform: one", ({ gone }) => ({ username: gone.username })],
    ["platform: a stranger", { username: "zoë" }, 'NotFound: no learner named "zoë"'],
  ],
  renameLearners: [
    ["platform: a stranger", { renames: [{ username: "was", newUsername: "is" }] }],
    ["platform: nobody", {}, "InvalidArgument: renames has 0 elements"],
  ],
  importRecords: [
    [
      "platform: two messages",
      ({ transport }) => [
        { records: [learner(`A ~${transport}~`)] },
        { records: [learner(`B ~${transport}~`)] },
      ],
    ],
    ["platform: nothing", []],
    [
      "platform: a wrong record",
      [{ records: [learner("C")] }, { records: [{}] }],
      "InvalidArgument: The record is empty",
    ],
  ],
});
