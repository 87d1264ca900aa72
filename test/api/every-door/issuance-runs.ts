import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { UNKNOWN_ID, UNKNOWN_UUID } from "./known.js";
import { type Row, row } from "./row.js";

export const issuanceRuns: Row[] = [
  row(CredentialService, "startIssuanceRun", "write service", "the plan of one", (known) => [
    { configurationId: known.configurationId, dryRun: true },
  ]),
  row(
    CredentialService,
    "startIssuanceRun",
    "staff",
    "an outdated plan",
    (known) => [{ configurationId: known.configurationId, planHash: `7.1.${"0".repeat(64)}` }],
    "Aborted",
    "it was to issue 7 and pass over 1",
  ),
  row(
    CredentialService,
    "startIssuanceRun",
    "staff",
    "no configuration",
    () => [{}],
    "InvalidArgument",
    "configuration_id is 0",
  ),
  row(
    CredentialService,
    "startIssuanceRun",
    "staff",
    "an unknown configuration",
    () => [{ configurationId: UNKNOWN_ID }],
    "NotFound",
    "no credential configuration",
  ),
  row(CredentialService, "getIssuanceRun", "read service", "a run", (known) => [{ id: known.runId }]),
  row(
    CredentialService,
    "getIssuanceRun",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_UUID }],
    "NotFound",
    "Issuance run not found.",
  ),
  row(CredentialService, "listIssuanceRuns", "read service", "all", () => [{}]),
  row(
    CredentialService,
    "listIssuanceRuns",
    "staff",
    "a negative size",
    () => [{ pageSize: -1 }],
    "InvalidArgument",
    "page_size is -1",
  ),
  row(CredentialService, "watchIssuanceRun", "read service", "one that has ended", (known) => [
    { id: known.runId },
  ]),
  row(
    CredentialService,
    "watchIssuanceRun",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_UUID }],
    "NotFound",
    "Issuance run not found.",
  ),
  row(CredentialService, "cancelIssuanceRun", "write service", "one that has ended", (known) => [
    { id: known.runId },
  ]),
  row(
    CredentialService,
    "cancelIssuanceRun",
    "staff",
    "a malformed id",
    () => [{ id: "x" }],
    "NotFound",
    "Issuance run not found.",
  ),
  row(CredentialService, "retryIssuanceRun", "write service", "one without failures", (known) => [
    { id: known.runId },
  ]),
  row(
    CredentialService,
    "retryIssuanceRun",
    "staff",
    "an unknown one",
    () => [{ id: UNKNOWN_UUID }],
    "NotFound",
    "Issuance run not found.",
  ),
];
