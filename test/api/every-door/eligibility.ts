import { EligibilityService } from "../../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { COURSE } from "../../credentials/academy.js";
import { UNKNOWN_ID } from "./known.js";
import { type Row, row } from "./row.js";

export const eligibility: Row[] = [
  row(EligibilityService, "getEligibility", "learner", "their own", () => [{ learningContextKey: COURSE }]),
  row(EligibilityService, "getEligibility", "staff", "another's", () => [
    { learningContextKey: COURSE, username: "ben" },
  ]),
  row(EligibilityService, "getEligibility", "staff", "an unknown function", () => [
    { learningContextKey: COURSE, retrievalFunc: "no.such" },
  ]),
  row(
    EligibilityService,
    "getEligibility",
    "learner",
    "another's",
    () => [{ learningContextKey: COURSE, username: "ben" }],
    "PermissionDenied",
    "Only staff",
  ),
  row(
    EligibilityService,
    "getEligibility",
    "learner",
    "a closed course",
    () => [{ learningContextKey: "course-v1:A+B+C" }],
    "NotFound",
    "not found, or you have no access",
  ),
  row(
    EligibilityService,
    "getEligibility",
    "staff",
    "a stranger's",
    () => [{ learningContextKey: COURSE, username: "zoë" }],
    "NotFound",
    'no learner named "zoë"',
  ),
  row(
    EligibilityService,
    "getEligibility",
    "learner",
    "a malformed key",
    () => [{}],
    "InvalidArgument",
    '""',
  ),
  row(EligibilityService, "listEligibleLearners", "staff", "some", (known) => [
    { configurationId: known.configurationId },
  ]),
  row(
    EligibilityService,
    "listEligibleLearners",
    "staff",
    "an unknown configuration",
    () => [{ configurationId: UNKNOWN_ID }],
    "NotFound",
    "There is no credential configuration",
  ),
  row(
    EligibilityService,
    "listEligibleLearners",
    "staff",
    "no configuration",
    () => [{}],
    "InvalidArgument",
    "configuration_id is 0",
  ),
];
