import { columnsOf } from "#infrastructure/db/columns.js";
import type { CredentialEventType } from "../credentials/events/append-events.js";

/** `paused` by staff, or `disabled` by the service because the receiver has failed for too long. */
export type EndpointState = "enabled" | "paused" | "disabled";

/** The settings of an endpoint. */
export interface EndpointSettings {
  readonly url: string;
  readonly description: string;
  /** Empty: all types. */
  readonly eventTypes: readonly CredentialEventType[];
  /** 1 to 64: how far ahead of the first undelivered event others may be sent. */
  readonly window: number;
  /** 1 to 100: the maximum number of events in one request. */
  readonly batch: number;
  /**
   * Number of rejections after which an event is skipped; null: it is never skipped, and blocks later events of its
   * credential.
   */
  readonly skipRejectedAfter: number | null;
  /** Email address to notify when the service disables the endpoint; empty: none. */
  readonly contact: string;
}

const settingFields = {
  url: {},
  description: {},
  eventTypes: {},
  window: { name: "window_size" },
  batch: { name: "batch_size" },
  skipRejectedAfter: {},
  contact: {},
};

export const settingColumns = columnsOf<EndpointSettings>("webhook_endpoints", settingFields);

/** A URL to which events are posted. */
export interface WebhookEndpoint extends EndpointSettings {
  readonly id: string;
  readonly state: EndpointState;
  /** Why the endpoint is in its state, or which events it has missed. */
  readonly stateReason: string;
  /** Position up to which everything was delivered or skipped. */
  readonly deliveredUpTo: number;
  readonly secretGeneration: number;
  /** Until when the previous secret stays valid; null: it is no longer valid. */
  readonly previousUntil: Date | null;
  /** First failure since the last success; null if there is none. */
  readonly failingSince: Date | null;
  /** Number of consecutive failed rounds. */
  readonly failedRounds: number;
  readonly nextAttemptAt: Date;
  readonly lastSuccessAt: Date | null;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export const endpointColumns = columnsOf<WebhookEndpoint>("webhook_endpoints", {
  id: { read: "endpoint.id" },
  ...settingFields,
  state: {},
  stateReason: {},
  deliveredUpTo: {},
  secretGeneration: {},
  previousUntil: {},
  failingSince: {},
  failedRounds: {},
  nextAttemptAt: {},
  lastSuccessAt: {},
  createdAt: {},
  createdBy: {},
});

/** An endpoint, with how far its deliveries are behind. */
export interface EndpointWithLag extends WebhookEndpoint {
  /** Number of undelivered positions, including events of other types. */
  readonly lag: number;
  /** Time of the oldest undelivered event that still exists; null if there is none. */
  readonly oldestWaiting: Date | null;
}

/** Maximum number of endpoints: each has its own connections and its own place in the queue. */
export const MAX_ENDPOINTS = 50;
