import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  AdministrationService,
  OperationKind,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { examplesOf, NOT_A_PAGE } from "./example.js";
import { type Known, UNKNOWN_ID } from "./known.js";

const WITHOUT = "PermissionDenied: role admin";

const moodle = ({ transport }: Known, changes: object = {}) => ({
  id: `school-${transport}`,
  type: "moodle",
  baseUrl: "https://moodle.example.org",
  options: { organisation: "Uni" },
  ...changes,
});
const signIn = (changes: object = {}) => ({
  name: "sign_in",
  options: { issuer: "https://sso.example.org", client_id: "lc" },
  secrets: { client_secret: "a secret of the client" },
  ...changes,
});
const email = (changes: object = {}) => ({
  name: "email",
  options: { host: "smtp.example.org", security: "tls", sender_address: "no-reply@example.org" },
  ...changes,
});
const rita = ({ transport }: Known) => `rita ~${transport}~`;

/** The effects of operations are tested in `test/operations/`, because no worker runs in these tests. */
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
  listStaffGrants: [
    ["platform: all of them", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  setStaffGrant: [
    [
      "platform: a registrar",
      (known) => ({ username: rita(known), roles: [Role.REGISTRAR], organisations: ["Uni"] }),
    ],
    [
      "platform: a second time",
      (known) => ({ username: rita(known), roles: [Role.ADMIN] }),
      "AlreadyExists: has roles already",
    ],
    ["platform: no role", { username: "a" }, "InvalidArgument: roles is empty"],
    [
      "platform: an unknown role",
      { username: "a", roles: [Role.UNSPECIFIED] },
      "InvalidArgument: roles[0] is ROLE_UNSPECIFIED",
    ],
    [
      "platform: for no organisation",
      { username: "a", roles: [Role.VIEWER], organisations: ["a b"] },
      "InvalidArgument: organisations has",
    ],
    [
      "platform: a name of the service",
      { username: "worker", roles: [Role.VIEWER] },
      "InvalidArgument: worker",
    ],
    ["staff: without the role", { username: "a", roles: [Role.VIEWER] }, WITHOUT],
  ],
  deleteStaffGrant: [
    ["platform: of a viewer", ({ gone: { grant } }) => ({ username: grant.username, etag: grant.etag })],
    [
      "platform: with an old etag",
      (known) => ({ username: rita(known), etag: "old" }),
      "Aborted: The grant of",
    ],
    ["platform: of nobody", { username: "nobody", etag: "old" }, 'NotFound: "nobody" has no granted roles'],
    ["staff: without the role", { username: "rita", etag: "old" }, WITHOUT],
  ],
  listOrganisations: [
    ["platform: all of them", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  setIssuer: [
    [
      "platform: of an organisation",
      ({ transport }) => ({ organisation: `Issuer~${transport}~`, name: "University" }),
    ],
    [
      "platform: of the service itself, with a long name",
      { name: "A".repeat(256) },
      "InvalidArgument: name must have",
    ],
    ["platform: of no organisation", { organisation: "a b", name: "A" }, "InvalidArgument: organisation is"],
    ["staff: without the role", {}, WITHOUT],
  ],
  deleteIssuer: [
    ["platform: of an organisation", ({ gone: { issuer } }) => issuer],
    ["platform: of nobody", { organisation: "Nobody" }, "NotFound: There is no saved issuer for"],
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
    ["platform: emails", { task: "send_mail" }],
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
    ["platform: a Moodle", (known) => ({ connector: moodle(known), secrets: { token: "a token" } })],
    [
      "platform: a second one of the same name",
      (known) => ({ connector: moodle(known), secrets: { token: "a token" } }),
      "AlreadyExists: The connector school already exists",
    ],
    [
      "platform: without its token",
      (known) => ({ connector: moodle(known, { id: "other" }) }),
      "InvalidArgument: secrets.token: must be set",
    ],
    [
      "platform: of no kind",
      (known) => ({ connector: moodle(known, { type: "fax" }) }),
      "InvalidArgument: connector.type: must be one of openedx, moodle",
    ],
    [
      "platform: with a file of the server",
      (known) => ({
        connector: moodle(known, { options: { organisation: "Uni", token_file: "/etc/passwd" } }),
      }),
      "InvalidArgument: connector.options.token_file: can only be set in CONNECTORS_FILE",
    ],
    ["platform: without settings", {}, "InvalidArgument: connector is missing"],
    ["staff: without the role", {}, WITHOUT],
  ],
  getConnectorSettings: [
    ["platform: a Moodle", ({ transport }) => ({ id: `school-${transport}` })],
    ["platform: that is not there", { id: "nowhere" }, "NotFound: There is no connector"],
    ["staff: without the role", { id: "school" }, WITHOUT],
  ],
  updateConnector: [
    ["platform: turned on", (known) => ({ connector: moodle(known, { isEnabled: true }) })],
    [
      "platform: of another version",
      (known) => ({ connector: moodle(known, { etag: "old" }) }),
      "Aborted: was changed since its etag was read",
    ],
    [
      "platform: to another address without its token",
      (known) => ({ connector: moodle(known, { baseUrl: "https://evil.example.org" }) }),
      "InvalidArgument: enter token again",
    ],
    [
      "platform: that is not there",
      (known) => ({ connector: moodle(known, { id: "nowhere" }) }),
      "NotFound: There is no connector",
    ],
    ["staff: without the role", {}, WITHOUT],
  ],
  deleteConnector: [
    ["platform: a Moodle", ({ transport }) => ({ id: `school-${transport}` })],
    [
      "platform: again",
      ({ transport }) => ({ id: `school-${transport}` }),
      "NotFound: There is no connector",
    ],
    ["staff: without the role", { id: "school" }, WITHOUT],
  ],
  listServiceSettings: [
    ["platform: all of them", {}],
    ["staff: without the role", {}, WITHOUT],
  ],
  updateServiceSetting: [
    ["platform: how staff sign in", signIn()],
    [
      "platform: of another provider, with the secret of the first",
      signIn({ options: { issuer: "https://evil.example.org", client_id: "lc" }, secrets: {} }),
      "InvalidArgument: secrets.client_secret is missing",
    ],
    [
      "platform: without an issuer",
      signIn({ options: { client_id: "lc" } }),
      "InvalidArgument: options.issuer must be set",
    ],
    [
      "platform: with its secret among the options",
      signIn({ options: { issuer: "https://sso.example.org", client_id: "lc", client_secret: "a" } }),
      "InvalidArgument: options.client_secret is a secret",
    ],
    ["platform: with an old etag", signIn({ etag: "old" }), "Aborted: The setting sign_in was changed"],
    ["platform: how emails are sent", email()],
    [
      "platform: with a URL as the server",
      email({ options: { host: "smtp://smtp.example.org", sender_address: "no-reply@example.org" } }),
      "InvalidArgument: options.host must be a host name",
    ],
    ["platform: of no name", {}, "NotFound: There is no setting"],
    ["staff: without the role", {}, WITHOUT],
  ],
  checkServiceSetting: [
    [
      "platform: an email server on the machine of the service",
      email({ options: { host: "127.0.0.1", port: 1, sender_address: "no-reply@example.org" } }),
    ],
    [
      "platform: a test email to nobody",
      { ...email(), recipient: "nobody" },
      "InvalidArgument: recipient is",
    ],
    [
      "platform: a provider on the machine of the service",
      signIn({ options: { issuer: "https://127.0.0.1:1", client_id: "lc" } }),
    ],
    ["platform: of no name", {}, "NotFound: There is no setting"],
    ["staff: without the role", {}, WITHOUT],
  ],
  deleteServiceSetting: [
    ["platform: how staff sign in", { name: "sign_in" }],
    ["platform: how emails are sent", { name: "email" }],
    ["platform: of no name", {}, "NotFound: There is no setting"],
    ["staff: without the role", {}, WITHOUT],
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
