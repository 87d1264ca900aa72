import { CredentialEventType } from "../../../gen/learning_credentials/v1/credential_event_pb.js";
import { WebhookService } from "../../../gen/learning_credentials/v1/webhook_service_pb.js";
import { CLOSED, UNKNOWN_UUID } from "./known.js";
import { NOT_A_PAGE, type Row, row } from "./row.js";

const AS = "write service";
const NONE = "There is no webhook endpoint";

export const webhooks: Row[] = [
  row(WebhookService, "createWebhookEndpoint", AS, "one", () => [
    { webhookEndpoint: { url: CLOSED, eventTypes: [CredentialEventType.INVALIDATED], window: 8 } },
  ]),
  row(
    WebhookService,
    "createWebhookEndpoint",
    AS,
    "one into a private network",
    () => [{ webhookEndpoint: { url: "https://10.0.0.1/" } }],
    "InvalidArgument",
    "its address is not public (private)",
  ),
  row(
    WebhookService,
    "createWebhookEndpoint",
    "staff",
    "one without the role",
    () => [{ webhookEndpoint: { url: CLOSED } }],
    "PermissionDenied",
    "a service token or the role admin",
  ),
  row(WebhookService, "getWebhookEndpoint", AS, "one", ({ webhookId }) => [{ id: webhookId }]),
  row(
    WebhookService,
    "getWebhookEndpoint",
    AS,
    "an unknown one",
    () => [{ id: UNKNOWN_UUID }],
    "NotFound",
    NONE,
  ),
  row(WebhookService, "listWebhookEndpoints", AS, "all", () => [{}]),
  row(
    WebhookService,
    "listWebhookEndpoints",
    "staff",
    "without the role",
    () => [{}],
    "PermissionDenied",
    "role admin",
  ),
  row(WebhookService, "updateWebhookEndpoint", AS, "its window", ({ webhookId }) => [
    { webhookEndpoint: { id: webhookId, window: 1 }, updateMask: { paths: ["window"] } },
  ]),
  row(
    WebhookService,
    "updateWebhookEndpoint",
    AS,
    "what can't be changed",
    ({ webhookId }) => [{ webhookEndpoint: { id: webhookId }, updateMask: { paths: ["state"] } }],
    "InvalidArgument",
    'update_mask names "state"',
  ),
  row(WebhookService, "pauseWebhookEndpoint", AS, "one", ({ webhookId }) => [{ id: webhookId }]),
  row(WebhookService, "pauseWebhookEndpoint", AS, "none", () => [{ id: UNKNOWN_UUID }], "NotFound", NONE),
  row(WebhookService, "enableWebhookEndpoint", AS, "one", ({ webhookId }) => [{ id: webhookId }]),
  row(WebhookService, "enableWebhookEndpoint", AS, "none", () => [{ id: UNKNOWN_UUID }], "NotFound", NONE),
  row(WebhookService, "rotateWebhookSecret", AS, "one", ({ webhookId }) => [
    { id: webhookId, overlapHours: 1 },
  ]),
  row(
    WebhookService,
    "rotateWebhookSecret",
    AS,
    "with too long an overlap",
    ({ webhookId }) => [{ id: webhookId, overlapHours: 721 }],
    "InvalidArgument",
    "overlap_hours is 721",
  ),
  row(WebhookService, "sendTestWebhook", AS, "to a receiver that is down", ({ webhookId }) => [
    { id: webhookId },
  ]),
  row(WebhookService, "sendTestWebhook", AS, "to none", () => [{ id: "x" }], "InvalidArgument", 'id is "x"'),
  row(WebhookService, "replayWebhookEvents", AS, "all", ({ webhookId }) => [{ id: webhookId }]),
  row(
    WebhookService,
    "replayWebhookEvents",
    AS,
    "what is yet to come",
    ({ webhookId }) => [{ id: webhookId, afterPosition: 1_000_000n }],
    "OutOfRange",
    "after_position is 1000000, and the last event has position",
  ),
  row(WebhookService, "skipWebhookEvent", AS, "one", ({ webhookId }) => [{ id: webhookId, position: 1n }]),
  row(
    WebhookService,
    "skipWebhookEvent",
    AS,
    "what was delivered",
    ({ webhookId }) => [{ id: webhookId, position: 0n }],
    "FailedPrecondition",
    "everything up to 0 was delivered",
  ),
  row(WebhookService, "listWebhookAttempts", AS, "the last one", ({ webhookId }) => [
    { id: webhookId, pageSize: 1 },
  ]),
  row(
    WebhookService,
    "listWebhookAttempts",
    AS,
    "a page of another list",
    ({ webhookId }) => [{ id: webhookId, pageToken: "x" }],
    "InvalidArgument",
    NOT_A_PAGE,
  ),
  row(WebhookService, "deleteWebhookEndpoint", AS, "one", (known, door) => [
    { id: known.disposable[door]?.webhookId ?? "" },
  ]),
  row(
    WebhookService,
    "deleteWebhookEndpoint",
    AS,
    "an unknown one",
    () => [{ id: UNKNOWN_UUID }],
    "NotFound",
    NONE,
  ),
];
