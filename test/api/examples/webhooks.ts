import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { examplesOf, NOT_A_PAGE } from "./example.js";
import { CLOSED, UNKNOWN_UUID } from "./known.js";

const NONE = "NotFound: There is no webhook endpoint";

export const webhooks = examplesOf(WebhookService, {
  createWebhookEndpoint: [
    [
      "platform: one",
      { webhookEndpoint: { url: CLOSED, eventTypes: [CredentialEventType.INVALIDATED], window: 8 } },
    ],
    [
      "platform: one into a private network",
      { webhookEndpoint: { url: "https://10.0.0.1/" } },
      "InvalidArgument: its address is not public (private)",
    ],
    [
      "staff: one without the role",
      { webhookEndpoint: { url: CLOSED } },
      "PermissionDenied: a service token or the role admin",
    ],
  ],
  getWebhookEndpoint: [
    ["platform: one", ({ webhookId }) => ({ id: webhookId })],
    ["platform: an unknown one", { id: UNKNOWN_UUID }, NONE],
  ],
  listWebhookEndpoints: [
    ["platform: all", {}],
    ["staff: without the role", {}, "PermissionDenied: role admin"],
  ],
  updateWebhookEndpoint: [
    [
      "platform: its window",
      ({ webhookId }) => ({
        webhookEndpoint: { id: webhookId, window: 1 },
        updateMask: { paths: ["window"] },
      }),
    ],
    [
      "platform: what can't be changed",
      ({ webhookId }) => ({ webhookEndpoint: { id: webhookId }, updateMask: { paths: ["state"] } }),
      'InvalidArgument: update_mask names "state"',
    ],
  ],
  pauseWebhookEndpoint: [
    ["platform: one", ({ webhookId }) => ({ id: webhookId })],
    ["platform: none", { id: UNKNOWN_UUID }, NONE],
  ],
  enableWebhookEndpoint: [
    ["platform: one", ({ webhookId }) => ({ id: webhookId })],
    ["platform: none", { id: UNKNOWN_UUID }, NONE],
  ],
  rotateWebhookSecret: [
    ["platform: one", ({ webhookId }) => ({ id: webhookId, overlapHours: 1 })],
    [
      "platform: with too long an overlap",
      ({ webhookId }) => ({ id: webhookId, overlapHours: 721 }),
      "InvalidArgument: overlap_hours is 721",
    ],
  ],
  sendTestWebhook: [
    ["platform: to a receiver that is down", ({ webhookId }) => ({ id: webhookId })],
    ["platform: to none", { id: "x" }, 'InvalidArgument: id is "x"'],
  ],
  replayWebhookEvents: [
    ["platform: all", ({ webhookId }) => ({ id: webhookId })],
    [
      "platform: what is yet to come",
      ({ webhookId }) => ({ id: webhookId, afterPosition: 1_000_000n }),
      "OutOfRange: after_position is 1000000, but the last event has position",
    ],
  ],
  skipWebhookEvent: [
    ["platform: one", ({ webhookId }) => ({ id: webhookId, position: 1n })],
    [
      "platform: what was delivered",
      ({ webhookId }) => ({ id: webhookId, position: 0n }),
      "FailedPrecondition: position is 0, but all events up to 0 were already delivered or skipped",
    ],
  ],
  listWebhookAttempts: [
    ["platform: the last one", ({ webhookId }) => ({ id: webhookId, pageSize: 1 })],
    ["platform: a page of another list", ({ webhookId }) => ({ id: webhookId, pageToken: "x" }), NOT_A_PAGE],
  ],
  deleteWebhookEndpoint: [
    ["platform: one", ({ gone }) => ({ id: gone.webhookId })],
    ["platform: an unknown one", { id: UNKNOWN_UUID }, NONE],
  ],
});
