import { CredentialService } from "../../../gen/learning_credentials/v1/credential_service_pb.js";
import { type Row, row } from "./row.js";

export const events: Row[] = [
  row(CredentialService, "watchCredentialEvents", "read service", "those after a position", () => [
    { afterPosition: 2n },
  ]),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a negative position",
    () => [{ afterPosition: -1n }],
    "InvalidArgument",
    "after_position is -1",
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a hash that is none",
    () => [{ afterPosition: 1n, afterHash: "0xAB" }],
    "InvalidArgument",
    'after_hash is "0xAB"; it must be the hash of an event',
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a hash without a position",
    () => [{ afterHash: "0".repeat(64) }],
    "InvalidArgument",
    "after_hash is given, and after_position is 0",
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a position with another hash",
    () => [{ afterPosition: 1n, afterHash: "0".repeat(64) }],
    "OutOfRange",
    "the event there has another hash than yours",
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a position to come",
    () => [{ afterPosition: 999_999n }],
    "OutOfRange",
    "after_position is 999999, and the last event has position",
  ),
  row(
    CredentialService,
    "watchCredentialEvents",
    "staff",
    "a position beyond all",
    () => [{ afterPosition: 4_611_686_018_427_387_904n }],
    "OutOfRange",
    "after_position is 4611686018427387904, and no event has a position over",
  ),
];
