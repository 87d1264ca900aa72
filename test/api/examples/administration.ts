import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  AdministrationService,
  OperationKind,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { examplesOf, NOT_A_PAGE } from "./example.js";
import { UNKNOWN_ID } from "./known.js";

const WITHOUT = "PermissionDenied: role admin";

const MOODLE = {
  id: "school",
  type: "moodle",
  baseUrl: "https://moodle.example.org",
  options: { organisation: "Uni" },
};

/** What operations do is tested in `test/operations/`: no worker runs here. */
export const administration = examplesOf(AdministrationService, {
  listSessions: [
    ["platform: who is signed in", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  endSessions: [
    ["platform: of somebody who has none", { username: "nobody" }],
    ["platform: by an id", { username: "nobody", sessionId: "0".repeat(64) }],
    ["platform: by no id", { username: "nobody", sessionId: "all" }, "InvalidArgument: session_id is"],
    ["platform: of nobody", {}, "InvalidArgument: username is empty"],
    ["staff: without the role", { username: "nobody" }, WITHOUT],
  ],
  createSignInLink: [
    [
      "platform: for a registrar",
      { username: "new.registrar", roles: [Role.REGISTRAR], organisations: ["Uni"] },
    ],
    [
      "platform: with no role",
      { username: "a", roles: [Role.UNSPECIFIED] },
      "InvalidArgument: roles[0] is ROLE_UNSPECIFIED",
    ],
    [
      "platform: for no organisation",
      { username: "a", organisations: ["a b"] },
      "InvalidArgument: organisations has",
    ],
    [
      "platform: for too many",
      { username: "a", organisations: Array(51).fill("Uni") },
      "InvalidArgument: at most 50 are accepted",
    ],
    ["staff: without the role", { username: "a" }, WITHOUT],
  ],
  listOrganisations: [
    ["platform: all of them", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  listSettings: [
    ["platform: what each means", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  getHealth: [
    ["platform: how it is doing", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  retryJobs: [
    ["platform: mails", { task: "send_mail" }],
    ["platform: of no kind", { task: "toString" }, "InvalidArgument: task is"],
    ["staff: without the role", { task: "send_mail" }, WITHOUT],
  ],
  listConnectors: [
    ["platform: there is none", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  listConnectorTypes: [
    ["platform: all of them", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  createConnector: [
    ["platform: a Moodle", () => ({ connector: MOODLE, secrets: { token: "a token" } })],
    [
      "platform: a second one of the same name",
      () => ({ connector: MOODLE, secrets: { token: "a token" } }),
      "AlreadyExists: There is a connector school already",
    ],
    [
      "platform: without its token",
      () => ({ connector: { ...MOODLE, id: "other" } }),
      "InvalidArgument: connector.options.token: must be set",
    ],
    [
      "platform: of no kind",
      () => ({ connector: { ...MOODLE, type: "fax" } }),
      "InvalidArgument: connector.type: must be one of openedx, moodle",
    ],
    [
      "platform: with a file of the server",
      () => ({ connector: { ...MOODLE, options: { organisation: "Uni", token_file: "/etc/passwd" } } }),
      "InvalidArgument: connector.options.token_file: can't be set here",
    ],
    ["platform: without settings", {}, "InvalidArgument: connector is missing"],
    ["staff: without the role", {}, WITHOUT],
  ],
  getConnectorSettings: [
    ["platform: a Moodle", { id: "school" }],
    ["platform: that is not there", { id: "nowhere" }, "NotFound: There is no connector"],
    ["staff: without the role", { id: "school" }, WITHOUT],
  ],
  updateConnector: [
    ["platform: turned on", () => ({ connector: { ...MOODLE, isEnabled: true } })],
    [
      "platform: of another version",
      () => ({ connector: { ...MOODLE, etag: "old" } }),
      "Aborted: was changed by someone else",
    ],
    [
      "platform: to another address without its token",
      () => ({ connector: { ...MOODLE, baseUrl: "https://evil.example.org" } }),
      "InvalidArgument: enter token again",
    ],
    [
      "platform: that is not there",
      () => ({ connector: { ...MOODLE, id: "nowhere" } }),
      "NotFound: There is no connector",
    ],
    ["staff: without the role", {}, WITHOUT],
  ],
  deleteConnector: [
    ["platform: a Moodle", { id: "school" }],
    ["platform: again", { id: "school" }, "NotFound: There is no connector"],
    ["staff: without the role", { id: "school" }, WITHOUT],
  ],
  startOperation: [
    ["platform: a diagnosis", { kind: OperationKind.DIAGNOSIS }],
    [
      "platform: otherwise",
      { kind: OperationKind.DIAGNOSIS, withHashes: true },
      "AlreadyExists: is running with other parameters",
    ],
    ["platform: of no kind", {}, "InvalidArgument: kind is OPERATION_KIND_UNSPECIFIED"],
    [
      "platform: of no connector",
      { kind: OperationKind.SYNC, connector: "moodle" },
      "InvalidArgument: connector is",
    ],
    [
      "platform: of a connector",
      { kind: OperationKind.DIAGNOSIS, connector: "a" },
      "InvalidArgument: it must be empty",
    ],
    ["platform: without a plan", { kind: OperationKind.REPAIR }, "InvalidArgument: diagnosis_id is 0"],
    [
      "platform: of nothing",
      { kind: OperationKind.REPAIR, diagnosisId: UNKNOWN_ID },
      "NotFound: no completed diagnosis",
    ],
    ["staff: without the role", { kind: OperationKind.DIAGNOSIS }, WITHOUT],
  ],
  getOperation: [
    ["platform: that waits", ({ operationId }) => ({ id: operationId })],
    ["platform: that is not there", { id: UNKNOWN_ID }, "NotFound: There is no operation"],
    ["platform: without a number", {}, "InvalidArgument: id is 0"],
    ["staff: without the role", ({ operationId }) => ({ id: operationId }), WITHOUT],
  ],
  listOperations: [
    ["platform: all of them", {}],
    ["platform: of one kind", { kinds: [OperationKind.CHECK_CONNECTOR] }],
    [
      "platform: of no kind",
      { kinds: [OperationKind.UNSPECIFIED] },
      "InvalidArgument: kinds[0] is OPERATION_KIND_UNSPECIFIED",
    ],
    ["staff: without the role", {}, WITHOUT],
  ],
  cancelOperation: [
    ["platform: that waits", ({ operationId }) => ({ id: operationId })],
    ["platform: again", ({ operationId }) => ({ id: operationId })],
    ["platform: that is not there", { id: UNKNOWN_ID }, "NotFound: There is no operation"],
    ["platform: without a number", {}, "InvalidArgument: id is 0"],
    ["staff: without the role", ({ operationId }) => ({ id: operationId }), WITHOUT],
  ],
  listAuditEntries: [
    [
      "platform: about an object",
      ({ typeId }) => ({ object: `type:${typeId}`, method: "CreateCredentialType", changesOnly: true }),
    ],
    ["platform: of no list", { pageToken: "x" }, NOT_A_PAGE],
    ["staff: without the role", {}, WITHOUT],
  ],
});
