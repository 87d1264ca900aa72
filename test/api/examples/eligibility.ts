import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { COURSE } from "../../support/academy.js";
import { examplesOf } from "./example.js";
import { UNKNOWN_ID } from "./known.js";

const GRADES = "learning_credentials.processors.retrieve_subsection_grades";

export const eligibility = examplesOf(EligibilityService, {
  getEligibility: [
    ["staff: another's", ({ learningContextKey, username }) => ({ learningContextKey, username })],
    ["learner: their own", { learningContextKey: COURSE }],
    ["staff: an unknown function", { learningContextKey: COURSE, retrievalFunc: "no.such" }],
    ["learner: another's", { learningContextKey: COURSE, username: "ben" }, "PermissionDenied: Only staff"],
    [
      "learner: a closed course",
      { learningContextKey: "course-v1:A+B+C" },
      "NotFound: not found or user does not have access",
    ],
    [
      "staff: a stranger's",
      { learningContextKey: COURSE, username: "zoë" },
      'NotFound: no learner named "zoë"',
    ],
    ["learner: a malformed key", {}, 'InvalidArgument: ""'],
  ],
  getLegacyEligibility: [
    ["staff: another's", ({ learningContextKey, username }) => ({ learningContextKey, username })],
    ["learner: their own", { learningContextKey: COURSE }],
    ["learner: another's", { learningContextKey: COURSE, username: "ben" }, "PermissionDenied: Only staff"],
    [
      "learner: a closed course",
      { learningContextKey: "course-v1:A+B+C" },
      "NotFound: not found or user does not have access",
    ],
    ["learner: a malformed key", {}, 'InvalidArgument: ""'],
  ],
  listClaimableCredentials: [
    ["learner: their own", {}],
    ["nobody: their own", {}, "Unauthenticated: Authentication credentials were not provided"],
  ],
  previewEligibility: [
    [
      "staff: of a learner",
      ({ learningContextKey, username }) => ({
        learningContextKey,
        retrievalFunc: GRADES,
        typeOptions: { required_grades: { Total: 0.5 } },
        username,
      }),
    ],
    [
      "staff: more than anybody can have",
      { learningContextKey: COURSE, retrievalFunc: GRADES, customOptions: { required_grades: { Total: 5 } } },
    ],
    [
      "staff: an unknown function",
      { learningContextKey: COURSE, retrievalFunc: "no.such" },
      "InvalidArgument: retrieval_func",
    ],
    [
      "staff: a stranger's",
      {
        learningContextKey: COURSE,
        retrievalFunc: GRADES,
        typeOptions: { required_grades: { Total: 0.5 } },
        username: "zoë",
      },
      'NotFound: no learner named "zoë"',
    ],
    ["staff: a malformed key", {}, 'InvalidArgument: ""'],
  ],
  listEligibleLearners: [
    ["staff: some", ({ configurationId }) => ({ configurationId })],
    [
      "staff: an unknown configuration",
      { configurationId: UNKNOWN_ID },
      "NotFound: There is no credential configuration",
    ],
    ["staff: no configuration", {}, "InvalidArgument: configuration_id is 0"],
  ],
  listLearnersWithoutCredential: [
    ["staff: some", ({ configurationId }) => ({ configurationId })],
    [
      "staff: an unknown configuration",
      { configurationId: UNKNOWN_ID },
      "NotFound: There is no credential configuration",
    ],
    [
      "staff: for a reason that nobody here can have",
      ({ configurationId }) => ({ configurationId, reason: SkipReason.REPEATED }),
      "InvalidArgument: reason is SKIP_REASON_REPEATED",
    ],
  ],
});
