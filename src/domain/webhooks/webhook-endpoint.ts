import { columnsOf } from "#infrastructure/db/columns.js";
import type { CredentialEventType } from "../credentials/events/append-events.js";

/**
 * `paused` means paused by staff. `disabled` means disabled by the service, because the receiver has failed for too
 * long.
 */
export type EndpointState = "enabled" | "paused" | "disabled";

export interface EndpointSettings {
  readonly url: string;
  readonly description: string;
  /** Empty for all types. */
  readonly eventTypes: readonly CredentialEventType[];
  /**
   * 1 to 64. An event waits while it is at least this many events after the first undelivered
   * event.
   */
  readonly window: number;
  /** Maximum number of events per request, 1 to 100. */
  readonly batch: number;
  /**
   * Number of rejections after which an event is skipped. If null, the event is never skipped, and later events of its
   * credential wait.
   */
  readonly skipRejectedAfter: number | null;
  /** Email address to notify when the service disables the endpoint; empty to notify nobody. */
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

export const endpointSettingColumns = columnsOf<EndpointSettings>("webhook_endpoints", settingFields);

/** A URL to which the service posts events. */
export interface WebhookEndpoint extends EndpointSettings {
  readonly id: string;
  readonly state: EndpointState;
  /** Why the endpoint is in its current state, or which events it has missed. */
  readonly stateReason: string;
  /** Position up to which all events were delivered or skipped. */
  readonly deliveredUpTo: number;
  readonly secretGeneration: number;
  /** When the previous secret expires or expired; null if the secret was never rotated. */
  readonly previousUntil: Date | null;
  /** Time of the first failure since the last success; null if there is none. */
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

export interface EndpointWithLag extends WebhookEndpoint {
  /** Number of undelivered positions, including events of types that the endpoint doesn't receive. */
  readonly lag: number;
  /** Time of the oldest undelivered event that still exists; null if there is none. */
  readonly oldestWaiting: Date | null;
}

/** The number is limited because each endpoint has its own connections and its own place in the queue. */
export const MAX_ENDPOINTS = 50;
