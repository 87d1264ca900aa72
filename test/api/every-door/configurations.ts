import { ConfigurationService } from "../../../gen/learning_credentials/v1/configuration_service_pb.js";
import { COURSE } from "../../credentials/academy.js";
import { UNKNOWN_ID } from "./known.js";
import { type Row, row } from "./row.js";

export const configurations: Row[] = [
  row(ConfigurationService, "checkConfiguration", "learner", "their course", () => [
    { learningContextKey: COURSE },
  ]),
  row(
    ConfigurationService,
    "checkConfiguration",
    "learner",
    "a closed one",
    () => [{ learningContextKey: "course-v1:A+B+C" }],
    "NotFound",
    "not found, or you have no access",
  ),
  row(ConfigurationService, "checkConfiguration", "staff", "a closed one", () => [
    { learningContextKey: "course-v1:A+B+C" },
  ]),
  row(
    ConfigurationService,
    "checkConfiguration",
    "learner",
    "a malformed key",
    () => [{ learningContextKey: "x" }],
    "InvalidArgument",
    '"x"',
  ),
  row(ConfigurationService, "createCredentialConfiguration", "staff", "one", (known, door) => [
    {
      credentialConfiguration: {
        learningContextKey: `course-v1:Uni+New~${door}~+1`,
        credentialTypeId: known.typeId,
      },
    },
  ]),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "it again",
    (known) => [{ credentialConfiguration: { learningContextKey: COURSE, credentialTypeId: known.typeId } }],
    "AlreadyExists",
    "already",
  ),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "an unknown type",
    () => [{ credentialConfiguration: { learningContextKey: COURSE, credentialTypeId: UNKNOWN_ID } }],
    "NotFound",
    "There is no credential type",
  ),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "a malformed key",
    () => [{ credentialConfiguration: { learningContextKey: "x", credentialTypeId: 1 } }],
    "InvalidArgument",
    '"x"',
  ),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "one with a schedule",
    (known, door) => [
      {
        credentialConfiguration: {
          learningContextKey: `course-v1:Uni+Scheduled~${door}~+1`,
          credentialTypeId: known.typeId,
          schedule: { recurrence: { case: "cron", value: "0 6 * * MON" }, timeZone: "Europe/Madrid" },
        },
      },
    ],
  ),
  row(
    ConfigurationService,
    "createCredentialConfiguration",
    "staff",
    "a schedule that can't be",
    (known) => [
      {
        credentialConfiguration: {
          learningContextKey: "course-v1:Uni+Scheduled+1",
          credentialTypeId: known.typeId,
          schedule: { timeZone: "Mars/Base" },
        },
      },
    ],
    "InvalidArgument",
    'schedule.time_zone is "Mars/Base"',
  ),
  row(ConfigurationService, "getCredentialConfiguration", "staff", "one", (known) => [
    { id: known.configurationId },
  ]),
  row(
    ConfigurationService,
    "getCredentialConfiguration",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_ID }],
    "NotFound",
    "There is no credential configuration",
  ),
  row(ConfigurationService, "listCredentialConfigurations", "staff", "those of a course", () => [
    { learningContextKey: COURSE },
  ]),
  row(
    ConfigurationService,
    "listCredentialConfigurations",
    "staff",
    "a negative id",
    () => [{ credentialTypeId: -1 }],
    "InvalidArgument",
    "credential_type_id is -1",
  ),
  row(ConfigurationService, "updateCredentialConfiguration", "staff", "its options", (known) => [
    {
      credentialConfiguration: { id: known.configurationId, customOptions: {} },
      updateMask: { paths: ["*"] },
    },
  ]),
  row(
    ConfigurationService,
    "updateCredentialConfiguration",
    "staff",
    "an unknown one",
    () => [{ credentialConfiguration: { id: UNKNOWN_ID } }],
    "NotFound",
    "There is no credential configuration",
  ),
  row(
    ConfigurationService,
    "updateCredentialConfiguration",
    "staff",
    "a wrong option",
    (known) => [
      {
        credentialConfiguration: {
          id: known.configurationId,
          customOptions: { required_grades: { Exam: 2 } },
        },
      },
    ],
    "InvalidArgument",
    "required_grades",
  ),
  row(ConfigurationService, "deleteCredentialConfiguration", "staff", "one", (known, door) => [
    { id: known.disposable[door]?.configurationId ?? 0 },
  ]),
  row(
    ConfigurationService,
    "deleteCredentialConfiguration",
    "staff",
    "one with credentials",
    (known) => [{ id: known.configurationId }],
    "FailedPrecondition",
    "Credentials were issued",
  ),
  row(
    ConfigurationService,
    "deleteCredentialConfiguration",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_ID }],
    "NotFound",
    "There is no credential configuration",
  ),
  row(ConfigurationService, "previewCredential", "staff", "a configuration", (known) => [
    { source: { case: "configurationId" as const, value: known.configurationId } },
  ]),
  row(
    ConfigurationService,
    "previewCredential",
    "staff",
    "nothing",
    () => [{}],
    "InvalidArgument",
    "source is missing",
  ),
  row(ConfigurationService, "listFunctions", "staff", "all", () => [{}]),
  row(
    ConfigurationService,
    "listFunctions",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size",
  ),
];
